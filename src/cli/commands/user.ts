import { Argument, type Command, Option } from 'commander'
import type { Role, UserRecord } from '../../core/access/users/service.ts'
import { SYSTEM } from '../../core/base/actor.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { printJson, printSecret, printTable, say } from '../output.ts'
import { registerUserGrants } from './user-grants.ts'
import { registerUserLinks } from './user-link.ts'

const ROLE_NAMES = ['admin', 'global-read', 'user'] as const satisfies readonly Role[]

/**
 * `portlight user add|list|reset-password|disable|enable|delete|role|schedule-notes|remove-factor|grant|revoke|grants|link|unlink`.
 */
export function registerUser(program: Command, load: LoadComposition): void {
  const user = program.command('user').description('users: people and programs')
  const act = actWith(load)

  user
    .command('add')
    .description('add a user; without --password-stdin a random password is generated and printed')
    .argument('<name>', 'name to sign in with')
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLE_NAMES).default('user'))
    .option('--password-stdin', 'read the password from stdin')
    .option('--no-password', 'no password: the user can only use tokens')
    .option('--realname <text>', 'full name')
    .option('--email <address>', 'mail address')
    .option('--json', 'print JSON')
    .action(async (name: string, options: AddOptions, command: Command) => {
      const made = options.password && options.passwordStdin !== true ? randomPassword() : null
      const password = options.passwordStdin === true ? await passwordFromStdin() : made
      const id = await act(command, ({ services }) =>
        services.admin.addUser(SYSTEM, {
          username: name,
          password,
          roles: [options.role],
          realname: options.realname ?? '',
          email: options.email ?? '',
        }),
      )
      if (options.json === true)
        return printJson({ user_id: id, username: name, ...(made !== null && { password: made }) })
      say(`user ${name} added with role ${options.role}`)
      if (made !== null) printSecret('password', made)
    })
  user
    .command('list')
    .description('list users')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const users = await act(command, ({ services }) => services.users.list())
      if (options.json === true) return printJson(users)
      printTable(
        ['ID', 'NAME', 'SIGNS IN', 'SECOND FACTOR', 'ROLES', 'ENABLED', 'REAL NAME', 'EMAIL', 'CREATED'],
        users.map(userRow),
      )
    })
  user
    .command('reset-password')
    .alias('passwd')
    .description(
      'set a new password, for example if that of admin is lost; without --password-stdin a random one is generated and printed',
    )
    .argument('<name>', 'name or id of the user')
    .option('--password-stdin', 'read the password from stdin')
    .action(async (name: string, options: { passwordStdin?: boolean }, command: Command) => {
      const made = options.passwordStdin === true ? null : randomPassword()
      const password = made ?? (await passwordFromStdin())
      await act(command, ({ services }) => services.admin.setPassword(SYSTEM, name, password))
      say(`password of ${name} set`)
      if (made !== null) printSecret('password', made)
    })
  for (const [verb, enabled] of [['disable', false] as const, ['enable', true] as const]) {
    user
      .command(verb)
      .description(
        enabled
          ? 'enable a user again'
          : 'disable a user: its sessions are over for good, it cannot sign in, and its tokens are refused',
      )
      .argument('<name>', 'name or id of the user')
      .action(async (name: string, _options: unknown, command: Command) => {
        await act(command, ({ services }) => services.admin.setEnabled(SYSTEM, name, enabled))
        say(`user ${name} ${verb}d`)
      })
  }
  addYes(user.command('delete'))
    .description('delete a user with its tokens and grants')
    .argument('<name>', 'name or id of the user')
    .action(async (name: string, options: ConfirmOptions, command: Command) => {
      await confirm(`delete user ${name} with its tokens and grants`, options)
      await act(command, ({ services }) => services.admin.deleteUser(SYSTEM, name))
      say(`user ${name} deleted`)
    })
  user
    .command('role')
    .description('replace the roles of a user')
    .argument('<name>', 'name or id of the user')
    .argument('<roles...>', 'new roles: admin, global-read, user, or one of `role list`')
    .action(async (name: string, roles: string[], _options: unknown, command: Command) => {
      await act(command, ({ services }) => services.admin.setRoles(SYSTEM, name, roles))
      say(`roles of ${name}: ${roles.join(', ')}`)
    })
  user
    .command('schedule-notes')
    .description("set whether the notes of a user's maintenance windows are added to the notes of the devices")
    .argument('<name>', 'name or id of the user')
    .addArgument(new Argument('<state>', 'whether to add them').choices(['on', 'off']))
    .action(async (name: string, state: string, _options: unknown, command: Command) => {
      await act(command, ({ services }) => services.admin.setScheduleNotes(SYSTEM, name, state === 'on'))
      say(`schedule notes of ${name}: ${state}`)
    })
  addYes(user.command('remove-factor'))
    .description('remove the second factor of a user who has lost it, and end its sessions')
    .argument('<name>', 'name or id of the user')
    .action(async (name: string, options: ConfirmOptions, command: Command) => {
      await confirm(`let user ${name} sign in with the password alone`, options)
      const had = await act(command, ({ services }) => services.admin.removeFactor(SYSTEM, name))
      say(had ? `second factor of ${name} removed` : `user ${name} has no second factor`)
    })
  registerUserGrants(user, load)
  registerUserLinks(user, load)
}

interface AddOptions {
  readonly role: Role
  readonly password: boolean
  readonly passwordStdin?: boolean
  readonly realname?: string
  readonly email?: string
  readonly json?: boolean
}

function userRow(user: UserRecord) {
  return [
    user.user_id,
    user.username,
    user.auth_type,
    user.second_factor,
    user.roles.join(', '),
    user.enabled === 1,
    user.realname,
    user.email,
    user.created_at.toISOString(),
  ]
}

/** A password of 16 characters with 96 random bits. */
function randomPassword(): string {
  return crypto.getRandomValues(new Uint8Array(12)).toBase64({ alphabet: 'base64url' })
}

/** Reads the first line of stdin. */
async function passwordFromStdin(): Promise<string> {
  if (process.stdin.isTTY) say('password:')
  for await (const line of console) return line
  return ''
}
