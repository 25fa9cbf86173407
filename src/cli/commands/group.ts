import type { Command } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { usage } from '../errors.ts'
import { readJsonFile } from '../json-file.ts'
import { say } from '../output.ts'
import { repeated } from '../repeated.ts'

/** `portlight group add`. */
export function registerGroup(program: Command, load: LoadComposition): void {
  const act = actWith(load)
  const group = program.command('group').description('device groups')
  group
    .command('add')
    .description('add a device group, either of named devices or of all that match rules')
    .argument('<name>', 'name')
    .option('--device <device>', 'member: hostname, id or address; may be repeated', repeated)
    .option('--rules <file>', 'JSON file with the rules of a dynamic group, as the API takes them; - for stdin')
    .option('--description <text>', 'description')
    .action(async (name: string, options: AddOptions, command: Command) => {
      const { device = [], rules: file, description } = options
      if ((device.length === 0) === (file === undefined)) throw usage('give either --device or --rules')
      const rules = file === undefined ? null : await readJsonFile(file)
      const added = await act(command, async ({ services: { devices, deviceGroups } }) => {
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
      say(`group ${added.id} added: ${added.name}`)
    })
}

interface AddOptions {
  readonly device?: readonly string[]
  readonly rules?: string
  readonly description?: string
}
