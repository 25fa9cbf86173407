import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Exchange } from '../../core/alerts/transports/exchange.ts'
import type { Delivery } from '../../core/alerts/transports/notification.ts'
import { SYSTEM } from '../../core/base/actor.ts'
import { shellWord } from '../../lib/shell-word.ts'
import { type Act, actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { addYes, type ConfirmOptions, confirm } from '../confirm.ts'
import { CliError, usage } from '../errors.ts'
import { programName } from '../invocation.ts'
import { positive } from '../numbers.ts'
import { print, printJson, printTable, say } from '../output.ts'
import { registerTransportGroup } from './transport-group.ts'
import { registerTransportLimit } from './transport-limit.ts'

/** `portlight transport ...`. */
export function registerTransport(program: Command, load: LoadComposition): void {
  const transport = program.command('transport').description('where alert notifications are sent')
  const act = actWith(load)
  registerKinds(transport)
  registerChanges(transport, act)
  registerLists(transport, act)
  registerUse(transport, act)
  registerTransportLimit(transport, load)
  registerTransportGroup(transport, load)
}

function registerKinds(transport: Command): void {
  transport
    .command('kinds')
    .description('list the kinds of transports, or the settings of one')
    .argument('[kind]', 'kind whose settings to list')
    .action(async (name: string | undefined) => {
      const { KINDS, kindOf } = await import('../../core/alerts/transports/kinds.ts')
      if (name === undefined)
        return printTable(
          ['KIND', 'NAME', 'ABOUT'],
          KINDS.map((kind) => [kind.name, kind.title, kind.about]),
        )
      const kind = kindOf(name)
      if (kind === null) throw usage(`there is no kind of transport ${name}`)
      printTable(
        ['SETTING', 'REQUIRED', 'SECRET', 'DEFAULT', 'ABOUT'],
        Object.entries(kind.fields).map(([setting, field]) => [
          setting,
          field.required === true,
          field.secret === true,
          'default' in field && field.default !== undefined && field.default !== '' ? String(field.default) : null,
          field.about,
        ]),
      )
    })
  transport
    .command('schema')
    .description('print the JSON schema of what webhooks and scripts receive')
    .action(async () => {
      const { WEBHOOK_SCHEMA } = await import('../../core/alerts/transports/webhook-body.ts')
      printJson(WEBHOOK_SCHEMA)
    })
}

interface SettingOptions {
  readonly url?: string
  readonly setting: readonly string[]
  readonly settingFile: readonly string[]
  readonly default?: boolean
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]
const collectRule = (value: string, before: readonly number[]): readonly number[] => [...before, positive(value)]

function addSettings(command: Command): Command {
  return command
    .option('--url <url>', 'short for --setting url=URL')
    .option('--setting <name=value>', 'a setting of the kind, from transport kinds; may be repeated', collect, [])
    .option(
      '--setting-file <name=file>',
      'a setting whose value is read from a file, - for stdin; keeps secrets off the command line',
      collect,
      [],
    )
}

function registerChanges(transport: Command, act: Act): void {
  addSettings(
    transport
      .command('add')
      .description('add a transport')
      .argument('<kind>', 'kind of transport, from transport kinds')
      .requiredOption('--name <name>', 'name of the transport'),
  )
    .option('--default', 'use it for all rules that are not mapped to a transport')
    .option('--rule <id>', 'id of a rule to map to it; may be repeated', collectRule, [])
    .action(
      async (kind: string, options: SettingOptions & { name: string; rule: readonly number[] }, command: Command) => {
        const settings = await settingsOf(options)
        const { name, rule: rules } = options
        const isDefault = options.default === true
        const { kindOf } = await import('../../core/alerts/transports/kinds.ts')
        const { id, server } = await act(command, async ({ services, settings: own }) => ({
          id: await services.transports.add({ kind, name, isDefault, settings, rules }),
          server: settings['host'] || own.get('email_smtp_host'),
        }))
        say(`transport ${id} added: ${name}`)
        if (kindOf(kind)?.name === 'mail' && server === '') {
          const { NO_SERVER } = await import('../../core/alerts/transports/kinds/mail.ts')
          say(`it cannot send yet: ${NO_SERVER}`)
        }
        say(`test it: ${programName()} transport test ${shellWord(name)}`)
      },
    )
  addSettings(
    transport
      .command('set')
      .description('change settings of a transport; an empty value removes one')
      .argument('<name>', 'name or id'),
  )
    .option('--default', 'use it for all rules that are not mapped to a transport')
    .option('--no-default', 'use it only for rules that are mapped to it')
    .action(async (name: string, options: SettingOptions, command: Command) => {
      const settings = await settingsOf(options)
      await act(command, ({ services }) => services.transports.change(name, settings, options.default ?? null))
      say(`transport ${name} changed`)
    })
  addYes(
    transport
      .command('remove')
      .description('remove a transport and the notifications waiting for it')
      .argument('<name>', 'name or id'),
  ).action(async (name: string, options: ConfirmOptions, command: Command) => {
    await confirm(`remove transport ${name}`, options)
    await act(command, ({ services }) => services.transports.remove(name))
    say(`transport ${name} removed`)
  })
}

/** Settings from the command line. Throws a usage error for text that is not NAME=VALUE. */
async function settingsOf({ url, setting, settingFile }: SettingOptions): Promise<Record<string, string>> {
  const pair = (text: string): [string, string] => {
    const at = text.indexOf('=')
    if (at < 1) throw usage('expected NAME=VALUE after --setting and --setting-file')
    return [text.slice(0, at), text.slice(at + 1)]
  }
  const read = async (text: string): Promise<[string, string]> => {
    const [name, file] = pair(text)
    try {
      return [name, (file === '-' ? await Bun.stdin.text() : await readFile(file, 'utf8')).replace(/\r?\n$/, '')]
    } catch {
      throw new CliError(`${file} cannot be read`)
    }
  }
  return Object.fromEntries([
    ...(url === undefined ? [] : [['url', url]]),
    ...setting.map(pair),
    ...(await Promise.all(settingFile.map(read))),
  ])
}

function registerLists(transport: Command, act: Act): void {
  transport
    .command('list')
    .description('list transports; secrets are masked')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const found = await act(command, ({ services }) => services.transports.list())
      if (options.json === true) return printJson(found)
      printTable(
        ['ID', 'NAME', 'KIND', 'DEFAULT', 'RULES', 'GROUPS', 'TOGETHER', 'RATE', 'WAITING', 'DEAD', 'SETTINGS'],
        found.map((t) => [
          t.id,
          t.name,
          t.kind,
          t.default,
          t.rules.join() || null,
          t.groups.join() || null,
          t.sending.now.grouped,
          t.sending.now.rate || null,
          t.waiting,
          t.dead,
          settingsText(t.settings),
        ]),
      )
      for (const { name, problems } of found)
        if (problems.length > 0) say(`transport ${name} cannot send: ${problems.join('; ')}`)
      for (const { name, failing } of found)
        if (failing !== null)
          say(`transport ${name} has been failing since ${failing.since.toISOString()}: ${failing.error}`)
    })
  transport
    .command('dead')
    .description('list notifications that were given up, newest first')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      const deadLetters = await act(command, ({ services }) => services.transports.dead(SYSTEM))
      if (options.json === true) return printJson(deadLetters)
      printTable(
        ['ID', 'TRANSPORT', 'GIVEN UP', 'ATTEMPTS', 'TITLE', 'REASON'],
        deadLetters.map((l) => [l.id, l.transport, l.dead_at.toISOString(), l.attempts, l.title, l.error]),
      )
    })
  transport
    .command('resend')
    .description('resend notifications that were given up; the running server sends them')
    .argument('[id...]', 'ids from transport dead', (value: string, before: readonly number[] | undefined) => [
      ...(before ?? []),
      positive(value),
    ])
    .option('--all', 'resend all of them')
    .action(async (ids: readonly number[] | undefined, options: { all?: boolean }, command: Command) => {
      const given = ids ?? []
      if (given.length > 0 === (options.all === true)) throw usage('give ids or --all')
      const count = await act(command, ({ services }) =>
        services.transports.resend(options.all === true ? null : given),
      )
      if (count === 0 && options.all !== true) throw new CliError('no such notification was given up')
      say(`${count} notifications will be sent again`)
    })
}

function settingsText(settings: Readonly<Record<string, unknown>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(' ')
}

/** What was sent and what came back, on stderr. */
function sayExchange({ request, answer }: Exchange, delivery: Delivery): void {
  // nothing goes to an address that is not allowed
  const held = delivery.kind === 'refused' && delivery.why === 'address'
  const sent = answer !== null || delivery.kind === 'delivered'
  const indented = (text: string) => text.split('\n').map((line) => `  ${line}`.trimEnd())
  for (const line of [held ? 'would send:' : sent ? 'sent:' : 'tried to send:', ...indented(request)]) say(line)
  if (held) return
  if (answer === null) say('no answer')
  else for (const line of ['answer:', ...indented(answer)]) say(line)
}

function registerUse(transport: Command, act: Act): void {
  transport
    .command('test')
    .description('send a test notification; exit code 1 if it is not delivered')
    .argument('<name>', 'name or id')
    .option('--json', 'print the outcome, the request and the answer as JSON')
    .action(async (name: string, options: { json?: boolean }, command: Command) => {
      const outcome = await act(command, ({ services }) => services.transports.test(name))
      const { delivery, exchanges } = outcome
      if (options.json === true) printJson(outcome)
      else for (const exchange of exchanges) sayExchange(exchange, delivery)
      if (delivery.kind === 'delivered') return options.json === true ? undefined : print('delivered')
      throw new CliError(
        `not delivered: ${delivery.reason}${delivery.kind === 'retry' ? ' (would be tried again)' : ''}`,
      )
    })
  for (const mapped of [true, false])
    transport
      .command(mapped ? 'map' : 'unmap')
      .description(
        mapped
          ? 'map rules to a transport or group, which they use instead of the default transports'
          : 'remove the mapping of rules to a transport or group',
      )
      .argument('<name>', 'name or id of a transport, or name of a group with --group')
      .requiredOption('--rule <id>', 'id of a rule; may be repeated', collectRule, [])
      .option('--group', 'the name is that of a group')
      .action(async (name: string, options: { rule: readonly number[]; group?: boolean }, command: Command) => {
        if (options.rule.length === 0) throw usage('give the ids of rules with --rule')
        const what = options.group === true ? 'group' : 'transport'
        await act(command, ({ services }) => services.transports.map(name, what, options.rule, mapped))
        say(`rules ${options.rule.join(', ')} ${mapped ? 'use' : 'no longer use'} ${what} ${name}`)
      })
}
