import type { Command } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { printJson, printTable, say } from '../output.ts'

/** `portlight role list|set|delete`. */
export function registerRole(program: Command, load: LoadComposition): void {
  const role = program.command('role').description('custom roles, in addition to admin, global-read and user')
  const act = actWith(load)

  role
    .command('list')
    .description('list roles and their permissions')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const roles = await act(command, ({ services }) => services.users.roles())
      if (options.json === true) return printJson(roles)
      printTable(
        ['NAME', 'USERS', 'PERMISSIONS'],
        roles.map(({ name, users, permissions }) => [name, users, permissions.join(' ')]),
      )
    })
  role
    .command('set')
    .description('create a role with these permissions, or replace those of an existing role')
    .argument('<name>', 'role')
    .argument('<permissions...>', 'for example device.update bill.create')
    .action(async (name: string, permissions: string[], _options: unknown, command: Command) => {
      await act(command, ({ services }) => services.admin.defineRole(SYSTEM, name, permissions))
      say(`role ${name}: ${permissions.join(', ')}`)
    })
  addYes(role.command('delete'))
    .description('delete a role; its users lose it')
    .argument('<name>', 'role')
    .action(async (name: string, options: ConfirmOptions, command: Command) => {
      await confirm(`delete role ${name} and take it from its users`, options)
      await act(command, ({ services }) => services.admin.deleteRole(SYSTEM, name))
      say(`role ${name} deleted`)
    })
}
