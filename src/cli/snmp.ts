import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Failure, Session } from '@portlight/snmp/session.ts'
import type { SnmpTarget } from '@portlight/snmp/target.ts'
import type { Varbind } from '@portlight/snmp/value.ts'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { CliError, usage } from './errors.ts'
import { print, printJson, say } from './output.ts'

/** Options of every command that opens its own SNMP session. */
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
  readonly numeric?: boolean
  readonly json?: boolean
}

const VERSIONS = { '1': 'v1', '2c': 'v2c', '3': 'v3', v1: 'v1', v2c: 'v2c', v3: 'v3' } as const
const LEVELS = { noAuthNoPriv: 'noAuthNoPriv', authNoPriv: 'authNoPriv', authPriv: 'authPriv' } as const
const MIB_2 = '1.3.6.1.2.1'

/** `portlight snmp get|walk|bulkwalk`: queries with the poller's own SNMP engine. */
export function registerSnmp(program: Command): void {
  const snmp = program.command('snmp').description("query an SNMP agent with the poller's own engine")
  addSessionOptions(
    snmp.command('get').description('read object instances by name or OID: sysDescr.0, IF-MIB::ifDescr.3'),
  )
    .argument('<host>', 'name, IPv4 or IPv6 address')
    .argument('<object...>', 'names or OIDs; a scalar needs no .0')
    .option('--numeric', 'print OIDs and numbers, as net-snmp does with -On')
    .action((host: string, oids: string[], options: SnmpOptions) =>
      withSession(host, options, (s) => get(s, oids, options)),
    )
  for (const [name, getNext] of [
    ['walk', true],
    ['bulkwalk', false],
  ] as const) {
    addSessionOptions(
      snmp.command(name).description(`read everything below an object with ${getNext ? 'GETNEXT' : 'GETBULK'}`),
    )
      .argument('<host>', 'name, IPv4 or IPv6 address')
      .argument('[object]', 'name or OID: ifTable, IF-MIB::ifDescr, 1.3.6.1.2.1.2', MIB_2)
      .option('--numeric', 'print OIDs and numbers, as net-snmp does with -On')
      .action((host: string, oid: string, options: SnmpOptions) =>
        withSession(host, options, (s) => walk(s, oid, getNext, options)),
      )
  }
}

/** Adds the options in SnmpOptions. */
export function addSessionOptions(command: Command): Command {
  return command
    .addOption(new Option('-v, --version <version>', 'SNMP version').choices(Object.keys(VERSIONS)).default('2c'))
    .option('-c, --community <community>', 'community for v1 and v2c', 'public')
    .option('-u, --user <name>', 'SNMPv3 user')
    .addOption(
      new Option('-l, --level <level>', 'SNMPv3 security level (default: derived from the passwords)').choices(
        Object.keys(LEVELS),
      ),
    )
    .option(
      '-a, --auth-protocol <protocol>',
      'authentication protocol: MD5, SHA, SHA-224, SHA-256, SHA-384 or SHA-512',
      'SHA',
    )
    .option('-A, --auth-password <password>', 'authentication password')
    .option(
      '-x, --priv-protocol <protocol>',
      'privacy protocol: DES, AES, AES-192, AES-256, AES-192-C or AES-256-C',
      'AES',
    )
    .option('-X, --priv-password <password>', 'privacy password')
    .option('-n, --context <name>', 'SNMPv3 context', '')
    .option('--transport <transport>', 'transport: udp or udp6 (default: that of the address)', '')
    .option('--port <port>', 'UDP port', number(1, 65_535, true), 161)
    .option('--timeout <seconds>', 'seconds to wait for a response', number(0.01, 3600), 1)
    .option('--retries <count>', 'retries after the first try', number(0, 100, true), 5)
    .option('--max-repetitions <count>', 'upper limit for GETBULK; 0: adapted to the agent', number(0, 10_000, true), 0)
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

/** Opens a session to the host, runs `work`, and closes the sockets. Throws CliError if the name does not resolve. */
export async function withSession(
  host: string,
  options: SnmpOptions,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const target = await targetOf(host, options)
  const [{ createTransport }, { openSession }] = await Promise.all([
    import('@portlight/snmp/transport.ts'),
    import('@portlight/snmp/session.ts'),
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

/** Resolves names to OIDs. Throws CliError for an unknown name. */
async function oidsOf(objects: readonly string[]): Promise<string[]> {
  const { oidOf } = await import('../mibs/names.ts')
  return objects.map((text) => {
    const found = oidOf(text)
    if (found.oid !== null) return found.oid
    const hint = found.meant === null ? 'use its OID' : `did you mean ${found.meant}?`
    throw usage(`unknown object name ${text}; ${hint}`)
  })
}

async function get(session: Session, objects: readonly string[], options: SnmpOptions): Promise<void> {
  const { isScalarOid } = await import('../mibs/names.ts')
  const oids = (await oidsOf(objects)).map((oid) => (isScalarOid(oid) ? `${oid}.0` : oid))
  const answer = await session.get(oids)
  if (answer.kind === 'answer') await show(answer.varbinds, options)
  else if (answer.kind === 'error')
    throw new CliError(`the agent answers ${answer.status} for ${oids[answer.index - 1] ?? 'the request'}`)
  else throw new CliError(failureText(session, answer))
}

async function walk(session: Session, object: string, getNext: boolean, options: SnmpOptions): Promise<void> {
  const [root = ''] = await oidsOf([object])
  const outcome = await session.walkColumn(root, { getNext })
  if (outcome.kind === 'unsupported') {
    // like net-snmp's tools: the OID may itself be an instance
    await get(session, [root], options)
    return
  }
  const found = Array.from(outcome.cells, ([index, value]) => ({ oid: `${root}.${index}`, value }))
  // Only a complete walk shows that there is nothing.
  if (outcome.kind === 'complete' || found.length > 0) await show(found, options)
  if (outcome.kind === 'complete') return
  const { reason } = outcome
  if (reason === 'timeout' || reason === 'refused' || reason === 'unreachable') {
    throw new CliError(found.length > 0 ? `the walk was truncated: ${reason}` : await firstFailure(session, reason))
  }
  throw new CliError(`the walk was truncated: ${reason}`)
}

/** A walk reports only the kind of failure, so send a GET to find the reason. */
async function firstFailure(session: Session, reason: 'timeout' | 'refused' | 'unreachable'): Promise<string> {
  if (reason !== 'refused') return failureText(session, { kind: reason })
  const answer = await session.get(['1.3.6.1.2.1.1.3.0'])
  return answer.kind === 'refused' ? failureText(session, answer) : 'refused'
}

async function show(varbinds: readonly Varbind[], options: SnmpOptions): Promise<void> {
  const [{ formatVarbind, varbindToJson }, { nameOf }, { enumerationLabel }] = await Promise.all([
    import('@portlight/snmp/format.ts'),
    import('../mibs/names.ts'),
    import('../mibs/enumerations.ts'),
  ])
  const named = ({ oid, value }: Varbind) => {
    const name = options.numeric === true ? null : nameOf(oid)
    const label = name !== null && value.kind === 'Integer32' ? enumerationLabel(name.object, value.value) : null
    return { name: name?.text ?? null, label }
  }
  if (options.json === true) {
    printJson(
      varbinds.map((varbind) => {
        const { name, label } = named(varbind)
        return { ...varbindToJson(varbind), ...(name !== null && { name }), ...(label !== null && { label }) }
      }),
    )
  } else for (const varbind of varbinds) print(formatVarbind(varbind, named(varbind)))
  if (varbinds.length === 0) say('no objects found')
}

function failureText(session: Session, failure: Failure): string {
  const { address, port } = session.target
  switch (failure.kind) {
    case 'refused':
      return `${address} refuses: ${failure.reason}`
    case 'unreachable':
      return `${address} cannot be reached from this host`
    case 'timeout':
      return `timeout: no response from ${address} port ${port}; agents do not answer a wrong community, nor a host that their access list leaves out`
    default:
      return failure.kind
  }
}
