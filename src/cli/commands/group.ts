import type { Command } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { sentenceOf } from '../../core/rules/in-words.ts'
import { oneLine } from '../../lib/one-line.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { CliError, usage } from '../errors.ts'
import { readJsonFile } from '../json-file.ts'
import { printJson, printTable, say } from '../output.ts'
import { repeated } from '../repeated.ts'

/** `portlight group list|add|delete`. */
export function registerGroup(program: Command, load: LoadComposition): void {
  const act = actWith(load)
  const group = program.command('group').description('device groups')
  group
    .command('list')
    .description('list device groups')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const groups = await act(command, async ({ services: { deviceGroups } }) => {
        const members = await deviceGroups.allMembers(SYSTEM)
        return (await deviceGroups.list(SYSTEM)).map((one) => ({ ...one, devices: members.get(one.id) ?? [] }))
      })
      if (options.json === true) return printJson(groups)
      printTable(
        ['ID', 'NAME', 'TYPE', 'DEVICES', 'RULES', 'DESCRIPTION'],
        groups.map((one) => [
          ...[one.id, one.name, one.type, one.devices.length],
          ...[one.rules === null ? null : sentenceOf(one.rules), one.desc],
        ]),
      )
    })
  group
    .command('add')
    .description('add a device group, either of named devices or of all that match rules')
    .argument('<name>', 'name')
    .option('--device <device>', 'member: hostname, id or address; may be repeated', repeated)
    .option('--rules <file>', 'JSON file with the rules of a dynamic group, as the API takes them; - for stdin')
    .option('--description <text>', 'description')
    .option('--json', 'print JSON')
    .action(async (name: string, options: AddOptions, command: Command) => {
      const { device = [], rules: file, description } = options
      if ((device.length === 0) === (file === undefined)) throw usage('give either --device or --rules')
      const rules = file === undefined ? null : await readJsonFile(file)
      const added = await act(command, async ({ services: { devices, deviceGroups } }) => {
        const same = (await deviceGroups.list(SYSTEM)).find((one) => one.name.toLowerCase() === name.toLowerCase())
        if (same !== undefined) throw new CliError(`device group ${oneLine(same.name)} already exists (id ${same.id})`)
        const members: number[] = []
        for (const ref of device) members.push((await devices.require(SYSTEM, ref)).device_id)
        return await deviceGroups.create(SYSTEM, {
          name,
          ...(description !== undefined && { desc: description }),
          ...(rules === null
            ? { type: 'static', devices: members }
            : { type: 'dynamic', rules: JSON.stringify(rules) }),
        })
      })
      if (options.json === true) return printJson(added)
      say(`group ${added.id} added: ${added.name}`)
    })
  addYes(group.command('delete'))
    .description('delete a device group; its devices stay')
    .argument('<group>', 'name or id')
    .action(async (ref: string, options: ConfirmOptions, command: Command) => {
      const gone = await act(command, async ({ services: { deviceGroups } }) => {
        const found = await deviceGroups.find(SYSTEM, ref)
        if (found === null) throw new CliError(`there is no device group ${ref}`)
        await confirm(`delete device group ${oneLine(found.name)} (id ${found.id})`, options)
        await deviceGroups.delete(SYSTEM, String(found.id))
        return found
      })
      say(`group ${gone.id} deleted: ${gone.name}`)
    })
}

interface AddOptions {
  readonly device?: readonly string[]
  readonly rules?: string
  readonly description?: string
  readonly json?: boolean
}
