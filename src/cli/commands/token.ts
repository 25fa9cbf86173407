import { type Command, Option } from 'commander'
import type { LoadComposition } from '../composition.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { positive } from '../numbers.ts'
import { print, printJson, printTable, say } from '../output.ts'

/** `portlight token create|list|revoke`. */
export function registerToken(program: Command, load: LoadComposition): void {
  const token = program.command('token').description('API tokens')
  token
    .command('create')
    .description('create a token; only the token is printed on stdout, and it is never shown again')
    .requiredOption('--user <name>', 'user whose permissions the token has')
    .option('--description <text>', 'what it is for', '')
    .addOption(
      new Option('--dialect <dialect>', 'form of the answers (default: setting api.v0.dialect)').choices([
        'documented',
        'librenms',
      ]),
    )
    .option('--json', 'print JSON')
    .action(async (options: CreateOptions, command: Command) => {
      const { withServices } = await import('../open.ts')
      const made = await withServices(command, load, ({ services }) =>
        services.tokens.create({
          username: options.user,
          description: options.description,
          dialect: options.dialect ?? null,
        }),
      )
      if (options.json === true) printJson(made)
      else print(made.token)
    })
  token
    .command('list')
    .description('list tokens, without their secrets')
    .option('--user <name>', 'only tokens of this user')
    .option('--json', 'print JSON')
    .action(async (options: { user?: string; json?: boolean }, command: Command) => {
      const { withServices } = await import('../open.ts')
      const tokens = await withServices(command, load, ({ services }) => services.tokens.list(options.user))
      if (options.json === true) return printJson(tokens)
      printTable(
        ['ID', 'USER', 'DESCRIPTION', 'DIALECT', 'DISABLED', 'CREATED', 'LAST USED'],
        tokens.map((t) => [
          t.id,
          t.username,
          t.description,
          t.dialect,
          t.disabled === 1,
          t.created_at.toISOString(),
          t.last_used_at?.toISOString() ?? null,
        ]),
      )
    })
  addYes(token.command('revoke'))
    .description('delete a token')
    .argument('<id>', 'id of the token, from token list', positive)
    .action(async (id: number, options: ConfirmOptions, command: Command) => {
      await confirm(`revoke token ${id} for good`, options)
      const { withServices } = await import('../open.ts')
      await withServices(command, load, ({ services }) => services.tokens.revoke(id))
      say(`token ${id} revoked`)
    })
}

interface CreateOptions {
  readonly user: string
  readonly description: string
  readonly dialect?: 'documented' | 'librenms'
  readonly json?: boolean
}
