import type { Command } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { printJson, printTable, say } from '../output.ts'

/** `portlight poller-group add|list|edit|delete`. */
export function registerPollerGroup(program: Command, load: LoadComposition): void {
  const group = program.command('poller-group').description('groups of pollers that devices can be assigned to')
  const act = actWith(load)

  group
    .command('add')
    .description('add a poller group')
    .argument('<name>', 'name of the group; must not consist only of digits, because that would be an id')
    .option('--descr <text>', 'what it is for', '')
    .action(async (name: string, options: { descr: string }, command: Command) => {
      const id = await act(command, ({ services }) => services.pollers.addGroup(SYSTEM, name, options.descr))
      say(`poller group ${name} added with id ${id}`)
    })
  group
    .command('list')
    .description('list poller groups')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const groups = await act(command, ({ services }) => services.pollers.groups(SYSTEM))
      if (options.json === true) return printJson(groups)
      printTable(
        ['ID', 'NAME', 'DESCRIPTION'],
        groups.map((g) => [g.id, g.group_name, g.descr]),
      )
    })
  group
    .command('edit')
    .description('change the name or description of a poller group')
    .argument('<group>', 'name or id')
    .option('--name <name>', 'new name')
    .option('--descr <text>', 'new description')
    .action(async (ref: string, options: { name?: string; descr?: string }, command: Command) => {
      const { name, descr } = options
      const values = { ...(name !== undefined && { group_name: name }), ...(descr !== undefined && { descr }) }
      await act(command, ({ services }) => services.pollers.editGroup(SYSTEM, ref, values))
      say(`poller group ${ref} changed`)
    })
  addYes(group.command('delete'))
    .description('delete a poller group; its devices move to the general group')
    .argument('<group>', 'name or id')
    .action(async (ref: string, options: ConfirmOptions, command: Command) => {
      await confirm(`delete poller group ${ref}`, options)
      await act(command, ({ services }) => services.pollers.deleteGroup(SYSTEM, ref))
      say(`poller group ${ref} deleted`)
    })
}
