import type { Command } from 'commander'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { printJson, printTable, say } from '../output.ts'

/** `portlight transport group list|set|remove`. */
export function registerTransportGroup(transport: Command, load: LoadComposition): void {
  const group = transport.command('group').description('groups of transports, to which rules can be mapped')
  const act = actWith(load)
  group
    .command('list')
    .description('list groups of transports')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const groups = await act(command, ({ services }) => services.transports.groups())
      if (options.json === true) return printJson(groups)
      printTable(
        ['ID', 'NAME', 'TRANSPORTS', 'RULES'],
        groups.map((g) => [g.transport_group_id, g.transport_group_name, g.members.join(), g.rules.join() || null]),
      )
    })
  group
    .command('set')
    .description('create a group of transports, or replace its members')
    .argument('<group>', 'name of the group')
    .argument('<transport...>', 'names or ids of its transports')
    .action(async (name: string, members: readonly string[], _options: unknown, command: Command) => {
      await act(command, ({ services }) => services.transports.putGroup(name, members))
      say(`group ${name}: ${members.join(', ')}`)
    })
  addYes(
    group
      .command('remove')
      .description('remove a group but not its transports')
      .argument('<group>', 'name of the group'),
  ).action(async (name: string, options: ConfirmOptions, command: Command) => {
    await confirm(`remove group ${name}`, options)
    await act(command, ({ services }) => services.transports.removeGroup(name))
    say(`group ${name} removed`)
  })
}
