import { discoverRecorded } from './discover.ts'
import { objectNames } from './mibs.ts'
import { readRecorded, recordedNames } from './recordings.ts'
import { withDefinitions } from './settings.ts'
import { Siblings } from './siblings.ts'

/** Prints what recordings hold and no module reads, one object a line, fields separated by tabs. */
export async function reportUnread(
  folders: readonly string[],
  mibs: string,
  installation: string | null,
): Promise<void> {
  const siblings = new Siblings(objectNames(mibs))
  await withDefinitions(installation, async (settings) => {
    for (const folder of folders)
      for (const name of recordedNames(folder)) {
        const recorded = readRecorded(folder, name)
        siblings.add(recorded, (await discoverRecorded(recorded, settings)).asked)
      }
  })
  console.log(['devices', 'instances', 'object', 'OID', 'values', 'recordings'].join('\t'))
  for (const { devices, instances, name, oid, examples } of siblings.list())
    console.log([devices.length, instances, name, oid, printable(examples.join(', ')), devices.join(' ')].join('\t'))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: agents send them
const printable = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')
