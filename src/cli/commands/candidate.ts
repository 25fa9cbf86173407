import { type Command, Option } from 'commander'
import { SYSTEM } from '../../core/base/actor.ts'
import type { Candidate, CandidateRule } from '../../core/candidates/candidate.ts'
import {
  CANDIDATE_ORDERS,
  type CandidateQuery,
  LIMITS,
  type RuleBody,
  SOURCE_KINDS,
} from '../../core/candidates/service.ts'
import { type Act, actWith } from '../act.ts'
import type { LoadComposition } from '../app.ts'
import { pollerGroupId } from '../device-request.ts'
import { usage } from '../errors.ts'
import { positive } from '../numbers.ts'
import { printJson, printTable, say } from '../output.ts'

interface ListOptions {
  readonly state?: CandidateQuery['state']
  readonly text?: string
  readonly network?: string
  readonly os?: string
  readonly source?: CandidateQuery['source']
  readonly order?: CandidateQuery['order']
  readonly limit?: number
  readonly offset?: number
  readonly json?: boolean
}

interface AcceptFlags {
  readonly nameBy?: 'dns' | 'sysname' | 'address'
  readonly hostname?: string
  readonly pollerGroup?: string
  readonly location?: string
  readonly pingOnly?: boolean
  readonly json?: boolean
}

/** `portlight candidate list|show|accept|ignore|unignore|exclude|rule`. */
export function registerCandidate(program: Command, load: LoadComposition): void {
  const candidate = program.command('candidate').description('found devices that are not monitored')
  const act = actWith(load)

  candidate
    .command('list')
    .description('list found devices')
    .addOption(new Option('--state <state>', 'their state; default: new').choices(['new', 'ignored', 'added', 'all']))
    .option('--text <text>', 'part of a name, a description, the hardware or an address')
    .option('--network <cidr>', 'in this network')
    .option('--os <os>', 'of this operating system')
    .addOption(new Option('--source <kind>', 'found by').choices(SOURCE_KINDS))
    .addOption(new Option('--order <column>', 'order by').choices(CANDIDATE_ORDERS))
    .option('--limit <number>', `at most this many, up to ${LIMITS.page}; default: 50`, positive)
    .option('--offset <number>', 'leave out the first', positive)
    .option('--json', 'print JSON, one object a line')
    .action(async ({ json, ...query }: ListOptions, command: Command) => {
      const { rows, total } = await act(command, ({ services }) => services.candidates.list(SYSTEM, query))
      if (json === true) {
        for (const row of rows) printLine(row)
        return
      }
      printTable(
        ['ID', 'NAME', 'ADDRESS', 'OS', 'SEEN BY', 'WHY'],
        rows.map((row) => [row.id, row.name, row.address ?? '', row.os, seenText(row), row.why]),
      )
      if (total > rows.length) say(`${total} in all; --limit and --offset show others`)
    })
  candidate
    .command('show')
    .description('print a found device')
    .argument('<id>', 'id of the candidate, from candidate list', positive)
    .option('--json', 'print JSON')
    .action(async (id: number, { json }: { json?: boolean }, command: Command) => {
      const found = await act(command, ({ services }) => services.candidates.get(SYSTEM, id))
      if (json === true) return printJson(found)
      const { sources, addresses, ...fields } = found
      const lists = { addresses: addresses.join(', '), sources: sources.map(sourceText).join('; ') }
      printTable(
        ['FIELD', 'VALUE'],
        Object.entries({ ...fields, ...lists }).map(([name, value]) => [
          name,
          value instanceof Date ? value.toISOString() : (value ?? ''),
        ]),
      )
    })
  candidate
    .command('accept')
    .description('add found devices; exit code 1 if one could not be added')
    .argument('<id...>', 'ids of candidates', someIds)
    .addOption(
      new Option('--name-by <kind>', 'how they are named; default: dns').choices(['dns', 'sysname', 'address']),
    )
    .option('--hostname <name>', 'name or address; for a single one')
    .option('--poller-group <group>', 'poller group: its name or id')
    .option('--location <name>', 'location')
    .option('--ping-only', 'add by ping alone where SNMP does not answer')
    .option('--json', 'print JSON, one object a line')
    .action(async (ids: number[], { json, ...options }: AcceptFlags, command: Command) => {
      const { pollerGroup: group, ...rest } = options
      const results = await act(command, async ({ services }) => {
        const pollerGroup = group === undefined ? undefined : await pollerGroupId(services, group)
        const given = { ...rest, ...(pollerGroup !== undefined && { pollerGroup }) }
        return await services.candidates.accept(SYSTEM, ids, given)
      })
      if (results.some(({ state }) => state === 'found')) process.exitCode = 1
      for (const result of results) {
        if (json === true) printLine(result)
        else if (result.state === 'found') say(`candidate ${result.candidateId} not added: ${result.problem}`)
        else
          say(
            `candidate ${result.candidateId} is device ${result.deviceId}${result.problem === null ? '' : `: ${result.problem}`}`,
          )
      }
    })
  for (const [name, about] of [
    ['ignore', 'ignore found devices'],
    ['unignore', 'let ignored devices wait for a decision again'],
  ] as const) {
    candidate
      .command(name)
      .description(about)
      .argument('<id...>', 'ids of candidates', someIds)
      .action(async (ids: number[], _: unknown, command: Command) => {
        const changed = await act(command, ({ services }) => services.candidates[name](SYSTEM, ids))
        say(`${changed} ${name === 'ignore' ? 'ignored' : 'no longer ignored'}`)
      })
  }
  candidate
    .command('exclude')
    .description('add a network to setting autodiscovery.nets-exclude, in which nothing is looked for')
    .argument('<network>', 'CIDR')
    .action(async (network: string, _: unknown, command: Command) => {
      say(`${await act(command, ({ services }) => services.candidates.excludeNetwork(SYSTEM, network))} is excluded`)
    })
  registerRules(candidate, act)
}

function registerRules(candidate: Command, act: Act): void {
  const rule = candidate.command('rule').description('rules that accept or ignore found devices')
  rule
    .command('list')
    .description('list the rules in the order in which they are tried')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: boolean }, command: Command) => {
      const rules = await act(command, ({ services }) => services.candidates.rules(SYSTEM))
      if (json === true) return printJson(rules)
      printTable(
        ['ID', 'ACTION', 'NETWORK', 'OS', 'NAME', 'PLATFORM', 'FOUND BY'],
        rules.map((one) => [
          one.id,
          one.action,
          one.network ?? '',
          one.os ?? '',
          one.sysName ?? '',
          one.platform ?? '',
          one.protocol ?? '',
        ]),
      )
    })
  rule
    .command('add')
    .description('add a rule behind the others; what is not given fits everything')
    .argument('<action>', 'accept or ignore')
    .option('--network <cidr>', 'address in this network')
    .option('--os <os>', 'operating system')
    .option('--sysname <pattern>', "regular expression for the name, with or without PHP's delimiters")
    .option('--platform <pattern>', 'regular expression for the platform that neighbours report')
    .addOption(new Option('--protocol <kind>', 'found by').choices(SOURCE_KINDS))
    .action(async (action: string, options: RuleOptions, command: Command) => {
      if (action !== 'accept' && action !== 'ignore') throw usage('the action is accept or ignore')
      const { sysname, ...rest } = options
      const body: RuleBody = { action, ...rest, sysName: sysname }
      say(`rule ${(await act(command, ({ services }) => services.candidates.addRule(SYSTEM, body))).id} added`)
    })
  rule
    .command('delete')
    .description('delete a rule')
    .argument('<id>', 'id of the rule', positive)
    .action(async (id: number, _: unknown, command: Command) => {
      await act(command, ({ services }) => services.candidates.deleteRule(SYSTEM, id))
      say(`rule ${id} deleted`)
    })
  rule
    .command('order')
    .description('put rules in this order, before those not named')
    .argument('<id...>', 'ids of rules', someIds)
    .action(async (ids: number[], _: unknown, command: Command) => {
      const rules = await act(command, ({ services }) => services.candidates.orderRules(SYSTEM, ids))
      say(`rules are tried in this order: ${rules.map(({ id }: CandidateRule) => id).join(', ')}`)
    })
}

interface RuleOptions {
  readonly network?: string
  readonly os?: string
  readonly sysname?: string
  readonly platform?: string
  readonly protocol?: string
}

const someIds = (text: string, before: readonly number[] = []): number[] => [...before, positive(text)]

const printLine = (value: unknown): void => printJson(value, 0)

const seenText = ({ sources: [first, ...others] }: Candidate): string =>
  first === undefined ? '' : `${sourceText(first)}${others.length === 0 ? '' : ` and ${others.length} more`}`

function sourceText({ kind, device, port }: Candidate['sources'][number]): string {
  return [kind, device === null ? null : `at ${device}`, port].filter((part) => part !== null).join(' ')
}
