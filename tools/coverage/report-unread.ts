import { CliError } from '../../src/cli/errors.ts'
import { discoverRecorded } from './discover.ts'
import { objectNames } from './mibs.ts'
import { readRecorded, recordedNames } from './recordings.ts'
import { withDefinitions } from './settings.ts'
import { Siblings } from './siblings.ts'

/**
 * Prints what recordings hold and no module reads, one object a line, fields separated by tabs. Throws CliError if
 * there is nothing to compare: a list without objects would look as if everything were read.
 */
export async function reportUnread(
  folders: readonly string[],
  mibs: string,
  installation: string | null,
): Promise<void> {
  const names = objectNames(mibs)
  if (names.size === 0) throw new CliError(`${mibs} has no MIB modules with objects: unpack them there`)
  const siblings = new Siblings(names)
  let devices = 0
  await withDefinitions(installation, async (settings) => {
    for (const folder of folders)
      for (const name of recordedNames(folder)) {
        devices++
        const recorded = readRecorded(folder, name)
        siblings.add(recorded, (await discoverRecorded(recorded, settings)).asked)
      }
  })
  const list = siblings.list()
  console.log(['devices', 'instances', 'table', 'object', 'OID', 'values', 'recordings'].join('\t'))
  for (const { devices, instances, hasReadSibling, name, oid, examples } of list) {
    const table = hasReadSibling ? 'read in part' : 'not read'
    const values = printable(examples.join(', '))
    console.log([devices.length, instances, table, name, oid, values, devices.join(' ')].join('\t'))
  }
  console.error(`${devices} recordings, ${names.size} objects in the MIB modules, ${list.length} of them unread`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: agents send them
const printable = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '?')
