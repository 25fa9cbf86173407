import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Failure, Session } from '../snmp/session.ts'
import type { SnmpTarget } from '../snmp/target.ts'
import type { Varbind } from '../snmp/value.ts'
import { CliError, usage } from './errors.ts'
import { print, printJson, say } from './output.ts'

/** Options of every command that opens a session of its own. */
export interface SnmpOptions {
  readonly version: keyof typeof VERSIONS
  readonly community: string
  readonly user?: string
  readonly level?: keyof typeof LEVELS
  readonly authProtocol: string
  readonly authPassword?: string
  readonly privProtocol: string
  readonly privPassword?: string
  readonly context: string
  readonly transport: string
  readonly port: number
  readonly timeout: number
  readonly retries: number
  readonly maxRepetitions: number
  readonly json?: boolean
}

const VERSIONS = { '1': 'v1', '2c': 'v2c', '3': 'v3', v1: 'v1', v2c: 'v2c', v3: 'v3' } as const
const LEVELS = { noAuthNoPriv: 'noAuthNoPriv', authNoPriv: 'authNoPriv', authPriv: 'authPriv' } as const
const MIB_2 = '1.3.6.1.2.1'

/** `portlight snmp get|walk|bulkwalk`: what the poller sees, by the poller's engine. */
export function registerSnmp(program: Command): void {
  const snmp = program.command('snmp').description("ask an SNMP agent by the poller's own engine")
  addSessionOptions(snmp.command('get').description('read objects by their OIDs with instance'))
    .argument('<host>', 'name, IPv4 or IPv6 address')
    .argument('<oid...>', 'OIDs, dotted decimal')
    .action((host: string, oids: string[], options: SnmpOptions) =>
      withSession(host, options, (s) => get(s, oids, options)),
    )
  for (const [name, getNext] of [
    ['walk', true],
    ['bulkwalk', false],
  ] as const) {
    addSessionOptions(
      snmp.command(name).description(`read everything below an OID, by ${getNext ? 'GETNEXT' : 'GETBULK'}`),
    )
      .argument('<host>', 'name, IPv4 or IPv6 address')
      .argument('[oid]', 'OID, dotted decimal', MIB_2)
      .action((host: string, oid: string, options: SnmpOptions) =>
        withSession(host, options, (s) => walk(s, oid, getNext, options)),
      )
  }
}

/** The options of SnmpOptions. */
export function addSessionOptions(command: Command): Command {
  return command
    .addOption(new Option('-v, --version <version>', 'SNMP version').choices(Object.keys(VERSIONS)).default('2c'))
    .option('-c, --community <community>', 'community of versions 1 and 2c', 'public')
    .option('-u, --user <name>', 'user of version 3')
    .addOption(
      new Option('-l, --level <level>', 'security level of version 3 (default: what the passwords allow)').choices(
        Object.keys(LEVELS),
      ),
    )
    .option('-a, --auth-protocol <protocol>', 'MD5, SHA, SHA-224, SHA-256, SHA-384, SHA-512', 'SHA')
    .option('-A, --auth-password <password>', 'authentication password')
    .option('-x, --priv-protocol <protocol>', 'DES, AES, AES-192, AES-256, AES-192-C, AES-256-C', 'AES')
    .option('-X, --priv-password <password>', 'privacy password')
    .option('-n, --context <name>', 'context of version 3', '')
    .option('--transport <transport>', 'udp or udp6 (default: what the address is)', '')
    .option('--port <port>', 'UDP port', number(1, 65_535, true), 161)
    .option('--timeout <seconds>', 'seconds to wait for an answer', number(0.01, 3600), 1)
    .option('--retries <count>', 'tries after the first', number(0, 100, true), 5)
    .option('--max-repetitions <count>', 'upper limit of a GETBULK; 0: found out', number(0, 10_000, true), 0)
    .option('--json', 'print JSON')
}

function number(min: number, max: number, whole = false): (text: string) => number {
  return (text) => {
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!(value >= min && value <= max) || (whole && !Number.isInteger(value))) {
      throw new InvalidArgumentError(`It must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}.`)
    }
    return value
  }
}

/** Opens a session with the host, works, and closes the sockets. Throws CliError for a name that does not resolve. */
export async function withSession(
  host: string,
  options: SnmpOptions,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const target = await targetOf(host, options)
  const [{ createTransport }, { openSession }] = await Promise.all([
    import('../snmp/transport.ts'),
    import('../snmp/session.ts'),
  ])
  const transport = await createTransport({ sockets: 1 })
  try {
    await work(openSession(transport, target, { context: options.context, maxRepetitions: options.maxRepetitions }))
  } finally {
    transport.close()
  }
}

async function targetOf(host: string, options: SnmpOptions): Promise<SnmpTarget> {
  const { transport } = options
  if (transport.startsWith('tcp')) throw usage('SNMP over TCP is not supported; use udp or udp6')
  if (!['', 'udp', 'udp6'].includes(transport)) throw usage(`--transport must be udp or udp6, not ${transport}`)
  const address = await resolve(host, transport)
  const v6 = isIP(address) === 6
  return {
    address,
    port: options.port,
    transport: v6 ? 'udp6' : 'udp',
    snmpver: VERSIONS[options.version],
    community: options.community,
    authlevel: levelOf(options),
    authname: options.user ?? null,
    authpass: options.authPassword ?? null,
    authalgo: options.authProtocol.toUpperCase(),
    cryptopass: options.privPassword ?? null,
    cryptoalgo: options.privProtocol.toUpperCase(),
    timeout: options.timeout,
    retries: options.retries,
  }
}

function levelOf(options: SnmpOptions): SnmpTarget['authlevel'] {
  if (options.level !== undefined) return LEVELS[options.level]
  if (options.authPassword === undefined) return 'noAuthNoPriv'
  return options.privPassword === undefined ? 'authNoPriv' : 'authPriv'
}

async function resolve(host: string, transport: string): Promise<string> {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(bare) !== 0) return bare
  const family = transport === '' ? 0 : transport === 'udp6' ? 6 : 4
  try {
    return (await lookup(bare, { family })).address
  } catch {
    throw new CliError(`${bare} does not resolve`)
  }
}

async function get(session: Session, oids: readonly string[], options: SnmpOptions): Promise<void> {
  const answer = await session.get(oids)
  if (answer.kind === 'answer') await show(answer.varbinds, options)
  else if (answer.kind === 'error')
    throw new CliError(`the agent answers ${answer.status} for ${oids[answer.index - 1] ?? 'the request'}`)
  else throw new CliError(failureText(session, answer))
}

async function walk(session: Session, oid: string, getNext: boolean, options: SnmpOptions): Promise<void> {
  const root = oid.replace(/^\./, '')
  const outcome = await session.walkColumn(root, { getNext })
  if (outcome.kind === 'unsupported') {
    // as net-snmp's tools: the OID may be an instance itself
    await get(session, [root], options)
    return
  }
  await show(
    Array.from(outcome.cells, ([index, value]) => ({ oid: `${root}.${index}`, value })),
    options,
  )
  if (outcome.kind === 'complete') return
  const { reason } = outcome
  if (reason === 'timeout' || reason === 'refused' || reason === 'unreachable') {
    throw new CliError(outcome.cells.size > 0 ? `cut short: ${reason}` : await firstFailure(session, reason))
  }
  throw new CliError(`cut short: ${reason}`)
}

/** A walk tells only the kind of a failure; a GET tells why an agent refuses. */
async function firstFailure(session: Session, reason: 'timeout' | 'refused' | 'unreachable'): Promise<string> {
  if (reason !== 'refused') return failureText(session, { kind: reason })
  const answer = await session.get(['1.3.6.1.2.1.1.3.0'])
  return answer.kind === 'refused' ? failureText(session, answer) : 'refused'
}

async function show(varbinds: readonly Varbind[], options: SnmpOptions): Promise<void> {
  const { formatVarbind, varbindToJson } = await import('../snmp/format.ts')
  if (options.json === true) printJson(varbinds.map(varbindToJson))
  else for (const varbind of varbinds) print(formatVarbind(varbind))
  if (varbinds.length === 0) say('nothing there')
}

function failureText(session: Session, failure: Failure): string {
  const { address, port } = session.target
  switch (failure.kind) {
    case 'refused':
      return `${address} refuses: ${failure.reason}`
    case 'unreachable':
      return `${address} cannot be reached from this host`
    case 'timeout':
      return `no answer from ${address} port ${port}`
    default:
      return failure.kind
  }
}
