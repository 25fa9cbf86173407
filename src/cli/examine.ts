import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import { describeProblem } from '../config/errors.ts'
import { SYSTEM } from '../core/base/actor.ts'
import { type MigrateResult, UNREADABLE } from '../core/schema/migrate.ts'
import { definitionFaults, faultText } from '../definitions/faults.ts'
import { type ClockStep, stepText } from '../observe/clock.ts'
import type { LoadComposition } from './app.ts'
import { checkpointFindings } from './checkpoint-finding.ts'
import type { Finding } from './finding.ts'
import { configPathOf, settingsOf } from './globals.ts'
import { type CommandContext, withServices } from './open.ts'
import { seriesFindings, storageFindings } from './series-findings.ts'
import { VERSION } from './version.ts'

const MIB = 1024 * 1024
/** About a day of 5-minute samples of 10,000 ports. */
const LOW_DISK = 1024 * MIB
/** Maximum number of services listed one per line because they cannot be checked. */
const MAX_REFUSED = 10
/** The threshold below which bursts of responses may be dropped. */
const SMALL_RECEIVE_BUFFER = 1 * MIB

/** Checks settings, machine, database and data. Throws only if the settings cannot be read at all. */
export async function examine(command: Command, load: LoadComposition): Promise<Finding[]> {
  const { settings, dataDir } = settingsOf(command)
  const findings: Finding[] = [
    ok('program', `portlight ${VERSION}, Bun ${Bun.version}, ${process.platform} ${process.arch}`),
    ok('machine', `${availableParallelism()} cores, ${Math.round(totalmem() / MIB)} MiB memory`),
    ok('settings', configPathOf(command) ?? 'no configuration file; defaults, environment, flags'),
    ...settings.warnings.map((problem) => note('settings', describeProblem(problem))),
    ...disk(dataDir, settings.get('database_url') === ''),
    ...receiveBuffer(),
    ...(await pings(load)),
    ...(await graphs(dataDir, load)),
    ...definitionFaults().map((fault) => bad('definitions', faultText(fault))),
  ]
  try {
    findings.push(...(await withServices(command, load, database)))
  } catch (error) {
    findings.push({ state: 'bad', what: 'database', text: error instanceof Error ? error.message : String(error) })
  }
  return findings
}

const ok = (what: string, text: string): Finding => ({ state: 'ok', what, text })
const bad = (what: string, text: string): Finding => ({ state: 'bad', what, text })
const note = (what: string, text: string): Finding => ({ state: 'note', what, text })

function disk(dataDir: string, embedded: boolean): Finding[] {
  if (!embedded) return []
  let folder = dataDir
  for (;;) {
    try {
      const { bavail, bsize } = statfsSync(folder)
      accessSync(folder, constants.W_OK)
      const free = bavail * bsize
      const text = `${dataDir}, ${Math.round(free / MIB)} MiB free`
      return [free < LOW_DISK ? { state: 'bad', what: 'data folder', text } : ok('data folder', text)]
    } catch (error) {
      const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      // If the folder does not exist yet, check its parent.
      if (missing && dirname(folder) !== folder) folder = dirname(folder)
      else return [{ state: 'bad', what: 'data folder', text: `${folder} is not writable` }]
    }
  }
}

async function graphs(dataDir: string, load: LoadComposition): Promise<Finding[]> {
  const problem = await (await load()).checkGraphs(dataDir)
  return [problem === null ? ok('graphs', 'can be drawn') : bad('graphs', problem)]
}

async function pings(load: LoadComposition): Promise<Finding[]> {
  const how = await (await load()).checkPings()
  return [
    how === null
      ? note(
          'ping',
          'this user may not send ICMP echo requests: on Linux set net.ipv4.ping_group_range to "0 2147483647" (sysctl), or install fping; devices are watched by SNMP only meanwhile',
        )
      : ok('ping', how),
  ]
}

function receiveBuffer(): Finding[] {
  try {
    const octets = Number(readFileSync('/proc/sys/net/core/rmem_max', 'utf8'))
    const text = `net.core.rmem_max is ${octets} bytes`
    return octets < SMALL_RECEIVE_BUFFER
      ? [note('udp buffer', `${text}: responses may be lost with many devices; raise it to 4194304 bytes`)]
      : [ok('udp buffer', text)]
  } catch {
    return [] // not Linux
  }
}

const MODES: Readonly<Record<MigrateResult['mode'], string>> = {
  plain: 'without TimescaleDB: built-in partitions and roll-ups',
  apache: 'TimescaleDB Apache edition: hypertables; built-in roll-ups and retention',
  tsl: 'TimescaleDB full edition: hypertables with compression',
}

/** Rules that cannot be evaluated, templates that cannot be used, and notifications that could not be sent. */
async function alerting(services: CommandContext['services']): Promise<Finding[]> {
  const [broken, templates, { waiting, dead, deadLetters }, transports] = await Promise.all([
    services.alertPreview.broken(),
    services.alertTemplates.broken(),
    services.alertPreview.outbox(),
    services.transports.list(),
  ])
  return [
    ...broken.map(({ id, name, kind, detail }) =>
      kind === 'slow'
        ? note('alert rule', `${id} ${name} is slow: ${detail}`)
        : bad('alert rule', `${id} ${name} cannot be evaluated: ${detail}`),
    ),
    ...templates.map(({ id, name, part, fault }) =>
      bad('alert template', `${id} ${name}: ${part} cannot be used, so the default is sent: ${fault}`),
    ),
    ...deadLetters.map(({ transport, title, error }) => note('notification', `${title}, by ${transport}: ${error}`)),
    ...transports
      .filter(({ problems }) => problems.length > 0)
      .map(({ name, problems }) => bad('transport', `${name} cannot send: ${problems.join('; ')}`)),
    ...transports.flatMap(({ name, failing }) =>
      failing === null
        ? []
        : [
            bad(
              'transport',
              `${name} has been failing since ${failing.since.toISOString()}: ${failing.error}; see transport test`,
            ),
          ],
    ),
    ok(
      'alerts',
      `${waiting} notifications waiting, ${dead} given up${dead > 0 ? ': see transport dead, transport resend' : ''}`,
    ),
  ]
}

/** Services that cannot be checked, and how many are overdue. */
async function serviceChecks(services: CommandContext['services'], intervalS: number): Promise<Finding[]> {
  const { enabled, refused, overdue } = await services.hostServices.examine()
  if (intervalS === 0) return enabled === 0 ? [] : [note('services', 'none are checked: services.interval is 0')]
  const more = refused.length - MAX_REFUSED
  return [
    ...refused
      .slice(0, MAX_REFUSED)
      .map(({ id, type, reason }) => bad('service', `${id} ${type} cannot be checked: ${reason}`)),
    ...(more > 0 ? [bad('service', `${more} more cannot be checked`)] : []),
    overdue > 0
      ? note('services', `${enabled} enabled, ${overdue} not checked for two intervals`)
      : ok('services', `${enabled} enabled`),
  ]
}

/** Secrets that cannot be decrypted, and secrets in plain text although a key is in force. */
async function secretFindings({ secrets }: CommandContext['services']): Promise<Finding[]> {
  const { given, stored, counts, unreadable } = await secrets.status()
  const active = stored.find(({ state }) => state === 'active')?.key_id
  const plain = counts.filter(({ keyId }) => keyId === null).reduce((sum, { values }) => sum + values, 0)
  const old = stored.filter(({ state }) => state === 'old').map(({ key_id }) => key_id)
  return [
    ...unreadable.map(({ column, row, keyId }) =>
      bad('secrets', `${column} of ${row} cannot be decrypted: it needs key ${keyId} or was modified`),
    ),
    ...(active !== undefined && plain > 0
      ? [note('secrets', `${plain} are stored in plain text: run secrets enable`)]
      : []),
    ...(old.length > 0 ? [note('secrets', `key ${old.join(', ')} is still needed: run secrets rotate again`)] : []),
    ...(active === undefined
      ? given.length > 0
        ? [note('secrets', `key ${given[0]} is given but not in force: run secrets enable`)]
        : []
      : [ok('secrets', `encrypted with key ${active}`)]),
  ]
}

/** What is kept of ports and sensors that their device no longer has. A device at the limit renumbers them. */
async function gone({ inventory }: CommandContext['services'], limit: number): Promise<Finding[]> {
  return (await inventory.gone()).map(({ kind, count, most }) => {
    const text = `${count} are gone from their device and kept, at most ${most} of one device`
    return most >= limit ? note(`${kind}s`, `${text}: the limit, see discovery.max_gone`) : ok(`${kind}s`, text)
  })
}

/** Devices that are monitored twice. */
async function doubles({ candidates }: CommandContext['services']): Promise<Finding[]> {
  const pairs = await candidates.doubles(SYSTEM, null, MAX_REFUSED + 1)
  return pairs
    .slice(0, MAX_REFUSED)
    .map(({ device_id, name, other_id, other, reason }) =>
      note(
        'monitored twice',
        `${name} (device ${device_id}) and ${other} (device ${other_id}): ${reason}. Delete one of them, for example with device delete`,
      ),
    )
    .concat(
      pairs.length > MAX_REFUSED ? [note('monitored twice', 'and more; they are named on the devices’ pages')] : [],
    )
}

/** Whether one of the running processes is the leader. None are running while a command works alone. */
async function leadership({ pollers }: CommandContext['services']): Promise<Finding[]> {
  const running = (await pollers.nodes()).filter(({ living }) => living)
  const leader = running.find((node) => node.isLeader)
  if (running.length === 0) return []
  if (leader !== undefined) return [ok('leader', `${leader.name}, of ${running.length} running`)]
  const names = running.map(({ name }) => name).join(', ')
  return [
    bad('leader', `none of ${names} is the leader: no alerts, service checks or housekeeping; check cluster.lead`),
  ]
}

/** What the listeners received since the server started, and how much of it they dropped. */
async function received(services: CommandContext['services']): Promise<Finding[]> {
  return (await services.system.listeners()).map(({ protocol, received, stored, dropped }) => {
    const lost = Object.entries(dropped).filter(([, count]) => count > 0)
    const text = `${received} received, ${stored} stored${lost.map(([reason, count]) => `, ${count} dropped: ${reason.replaceAll('_', ' ')}`).join('')}`
    const overload = lost.some(([reason]) => ['queue_full', 'kernel', 'refused_by_database'].includes(reason))
    return overload ? note(protocol, text) : ok(protocol, text)
  })
}

/** The clock that was set within this time is worth a note, ms. */
const CLOCK_NEWS_MS = 86_400_000

/** What running processes report about themselves. */
async function processes({ pollers }: CommandContext['services']): Promise<Finding[]> {
  const nodes = (await pollers.nodes()).filter(({ living }) => living)
  return nodes.flatMap(({ name, figures: { deaf, clock_step: step, unlisted_events: unlisted } }) => [
    ...(typeof deaf === 'string' ? [bad('process', `${name}: ${deaf}`)] : []),
    ...(isStep(step) && Math.abs(Date.now() - step.at) < CLOCK_NEWS_MS
      ? [note('clock', `${name}: ${stepText(step)}, at ${new Date(step.at).toISOString()}`)]
      : []),
    ...(isUnlisted(unlisted) ? [note('events', `${name}: ${unlistedText(unlisted)}`)] : []),
  ])
}

/** Events that a running process did not list, of `devices` devices; `deviceIds`: those with most of them. */
interface UnlistedEvents {
  readonly count: number
  readonly deviceIds: readonly number[]
  readonly devices: number
}

function isUnlisted(value: unknown): value is UnlistedEvents {
  return (
    typeof value === 'object' &&
    value !== null &&
    'deviceIds' in value &&
    Array.isArray(value.deviceIds) &&
    'devices' in value
  )
}

function unlistedText({ count, deviceIds, devices }: UnlistedEvents): string {
  const others = devices - deviceIds.length
  const whose = `${deviceIds.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  return `${count} lately were not listed, because device ${whose} had more of one type in an hour than poller.events_per_hour: see what keeps changing there`
}

function isStep(value: unknown): value is ClockStep {
  return typeof value === 'object' && value !== null && 'byS' in value && 'at' in value && Number.isFinite(value.at)
}

async function database({ database: { schema, how }, services, settings }: CommandContext): Promise<Finding[]> {
  const whose = { external: 'setting database_url', joined: 'embedded, in use by a server', started: 'embedded' }[how]
  const timescale = schema.timescaleVersion === null ? '' : `, TimescaleDB ${schema.timescaleVersion}`
  const counts = await services.inventory.counts(SYSTEM)
  const storage = await services.system.storage()
  return [
    ok('database', `PostgreSQL ${schema.serverVersion}${timescale} (${whose})`),
    ...(how === 'external' ? checkpointFindings(await services.system.checkpoints()) : []),
    ok('series', MODES[schema.mode]),
    ...(schema.unreadable > 0
      ? [{ state: 'bad' as const, what: 'series', text: `${schema.unreadable} chunks: ${UNREADABLE}` }]
      : []),
    ok('schema', 'up to date'),
    ok('content', `${counts.devices} devices, ${counts.ports} ports, ${counts.sensors} sensors, ${counts.users} users`),
    ...(await gone(services, settings.get('discovery.max_gone'))),
    ...(await doubles(services)),
    ...(await leadership(services)),
    ...(await secretFindings(services)),
    ...seriesFindings(storage),
    ...storageFindings(storage),
    ...(await alerting(services)),
    ...(await serviceChecks(services, settings.get('services.interval'))),
    ...(await received(services)),
    ...(await processes(services)),
    ...(counts.users === 0 ? [note('users', 'none yet: the first serve creates the user admin')] : []),
  ]
}
