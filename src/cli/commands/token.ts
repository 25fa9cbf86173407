import { type Command, Option } from 'commander'
import type { LoadComposition } from '../composition.ts'
import { positive } from '../numbers.ts'
import { print, printJson, printTable, say } from '../output.ts'

/** `portlight token create|list|revoke`. */
export function registerToken(program: Command, load: LoadComposition): void {
  const token = program.command('token').description('API tokens')
  token
    .command('create')
    .description('make a token; it alone is printed on stdout, and never shown again')
    .requiredOption('--user <name>', 'whose token: it may do what this user may')
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
    .option('--user <name>', "only this user's")
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
  token
    .command('revoke')
    .description('remove a token for good')
    .argument('<id>', 'id of the token, from token list', positive)
    .action(async (id: number, _options: unknown, command: Command) => {
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
