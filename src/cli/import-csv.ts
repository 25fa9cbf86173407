import { SYSTEM } from '../core/base/actor.ts'
import { addListed, type ListReport } from '../core/device-lists/add.ts'
import { readDeviceTable } from '../core/device-lists/text.ts'
import { joinGroup } from '../core/groups/join.ts'
import type { Services } from '../core/services.ts'
import { sayResult } from './add-devices.ts'
import { CliError } from './errors.ts'
import { inCommandStyle } from './message-style.ts'
import { say } from './output.ts'

const MAX_OCTETS = 16_777_216

/** Adds the devices of a table with a heading line. Missing groups (separated by `;`) are created. */
export async function importCsv(
  { devices, deviceGroups }: Services,
  text: string,
  force: boolean,
): Promise<ListReport> {
  if (text.length > MAX_OCTETS) throw new CliError('the file is larger than 16 MiB')
  return await addListed(readDeviceTable(text), {
    atOnce: 1,
    add: ({ given }) => devices.add(SYSTEM, { ...given, force }),
    tell: (result) => {
      if (result.deviceId === null) sayResult(result)
    },
    join: async (name, ids) => {
      const problem = await joinGroup(deviceGroups, SYSTEM, name, ids)
      if (problem === null) return
      process.exitCode = 1
      say(`group ${name}: ${inCommandStyle(problem)}`)
    },
  })
}
