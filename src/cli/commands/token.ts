import { type Command, Option } from 'commander'
import { expiryOf } from '../../core/access/tokens/expiry.ts'
import { CLIENT_PROGRAMS, type ClientProgram, clientProgram } from '../../core/access/tokens/programs.ts'
import type { TokenTerms } from '../../core/access/tokens/service.ts'
import { SYSTEM } from '../../core/base/actor.ts'
import { actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, answer, type ConfirmOptions, confirm, isTerminal } from '../confirm.ts'
import { usage } from '../errors.ts'
import { positive } from '../numbers.ts'
import { print, printJson, printTable, say } from '../output.ts'

/** `portlight token create|list|set|revoke`. */
export function registerToken(program: Command, load: LoadComposition): void {
  const act = actWith(load)
  const token = program.command('token').description('API tokens')
  token
    .command('create')
    .description('create a token; only the token is printed on stdout, and it is never shown again')
    .requiredOption('--user <name>', 'name or id of the user whose permissions the token has')
    .option('--description <text>', 'what it is for', '')
    .addOption(
      new Option(
        '--for <program>',
        'program that will use it, which determines the dialect; own: a script of your own; librenms: any program written for LibreNMS',
      ).choices(CLIENT_PROGRAMS.map(({ id }) => id)),
    )
    .addOption(
      new Option(
        '--dialect <dialect>',
        'form of the API responses (default: the one that the program of --for expects, otherwise setting api.v0.dialect)',
      ).choices(DIALECTS),
    )
    .addOption(scopeOption().default('write'))
    .option('--expires <when>', EXPIRES, 'never')
    .option('--json', 'print JSON')
    .action(async (options: CreateOptions, command: Command) => {
      const expiresAt = expiryOf(options.expires, Date.now())
      const program = await programOf(options)
      const made = await act(command, async ({ services }) => {
        const created = await services.tokens.create({
          username: options.user,
          description: options.description,
          dialect: options.dialect ?? program?.dialect ?? null,
          scope: options.scope,
          expiresAt,
        })
        const about = options.description === '' ? '' : `: ${options.description}`
        await services.admin.noteToken(SYSTEM, `API token ${created.id} of ${created.username} made${about}`)
        return created
      })
      if (options.json === true) printJson({ id: made.id, token: made.token })
      else print(made.token)
    })
  token
    .command('list')
    .description('list tokens, without their secrets')
    .option('--user <name>', 'only tokens of this user, by name or id')
    .option('--json', 'print JSON')
    .action(async (options: { user?: string; json?: boolean }, command: Command) => {
      const tokens = await act(command, ({ services }) => services.tokens.list(options.user))
      if (options.json === true) return printJson(tokens)
      printTable(
        ['ID', 'USER', 'DESCRIPTION', 'SCOPE', 'DIALECT', 'DISABLED', 'CREATED', 'EXPIRES', 'LAST USED'],
        tokens.map((t) => [
          t.id,
          t.username,
          t.description,
          t.scope,
          t.dialect,
          t.disabled === 1,
          t.created_at.toISOString(),
          t.expires_at?.toISOString() ?? 'never',
          t.last_used_at?.toISOString() ?? null,
        ]),
      )
    })
  token
    .command('set')
    .description('change the scope, expiry or dialect of a token')
    .argument('<id>', 'id of the token, from token list', positive)
    .addOption(scopeOption())
    .option('--expires <when>', EXPIRES)
    .addOption(
      new Option('--dialect <dialect>', 'form of the API responses; default: that of setting api.v0.dialect').choices([
        ...DIALECTS,
        'default',
      ]),
    )
    .action(async (id: number, { scope, expires, dialect }: SetOptions, command: Command) => {
      if (scope === undefined && expires === undefined && dialect === undefined)
        throw usage('give --scope, --expires or --dialect')
      const terms: Partial<TokenTerms> = {
        ...(scope !== undefined && { scope }),
        ...(expires !== undefined && { expiresAt: expiryOf(expires, Date.now()) }),
        ...(dialect !== undefined && { dialect: dialect === 'default' ? null : dialect }),
      }
      await act(command, async ({ services }) => {
        const before = (await services.tokens.list()).find((token) => token.id === id)
        await services.tokens.change(id, terms)
        if (before !== undefined) await services.admin.noteTokenTerms(SYSTEM, before, terms)
      })
      say(`token ${id} changed`)
    })
  addYes(token.command('revoke'))
    .description('delete a token')
    .argument('<id>', 'id of the token, from token list', positive)
    .action(async (id: number, options: ConfirmOptions, command: Command) => {
      await confirm(`permanently revoke token ${id}`, options)
      await act(command, async ({ services }) => {
        await services.tokens.revoke(id)
        await services.admin.noteToken(SYSTEM, `API token ${id} revoked`)
      })
      say(`token ${id} revoked`)
    })
}

/**
 * The program that will use a token: that of --for; without it and without --dialect the one chosen on the terminal, if
 * there is one. Undefined: any.
 */
async function programOf(options: CreateOptions): Promise<ClientProgram | undefined> {
  if (options.for !== undefined) return clientProgram(options.for)
  if (options.dialect !== undefined || options.json === true || !isTerminal()) return undefined
  say('Which program will use the token? (--for skips this question)')
  for (const [i, { name }] of CLIENT_PROGRAMS.entries()) say(`${String(i + 1).padStart(4)}  ${name}`)
  say('Number [1]:')
  const typed = (await answer()).trim()
  const program = CLIENT_PROGRAMS[typed === '' ? 0 : Number(typed) - 1]
  if (program === undefined) throw usage(`${JSON.stringify(typed)} is not a number from 1 to ${CLIENT_PROGRAMS.length}`)
  return program
}

const DIALECTS = ['documented', 'librenms'] as const
const EXPIRES = 'when it expires: a date (2030-12-31), 12h, 90d, 4w or 1y from now, or never'
const scopeOption = () =>
  new Option(
    '--scope <scope>',
    'what the token may do; read: only operations that change nothing; write: everything the user may do',
  ).choices(['read', 'write'])

interface SetOptions {
  readonly scope?: 'read' | 'write'
  readonly expires?: string
  readonly dialect?: (typeof DIALECTS)[number] | 'default'
}

interface CreateOptions {
  readonly scope: 'read' | 'write'
  readonly expires: string
  readonly user: string
  readonly description: string
  readonly dialect?: 'documented' | 'librenms'
  /** Id of a program. */
  readonly for?: string
  readonly json?: boolean
}
