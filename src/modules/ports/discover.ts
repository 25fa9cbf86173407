import { mibTable, type Row } from '@portlight/snmp/table.ts'
import type { OsDefinition } from '../../definitions/definition.ts'
import { parseMac } from '../../lib/mac.ts'
import type { LoadedDefinitions } from '../../librenms/store.ts'
import { DOT3_DUPLEX_STATUS, dot3StatsTable } from '../../mibs/etherlike-mib.ts'
import { ifTypeName } from '../../mibs/iana-if-type.ts'
import { IF_STATUS, ifTable, ifXTable } from '../../mibs/if-mib.ts'
import { enumName, TRUTH_VALUE } from '../../mibs/snmpv2-tc.ts'
import { vRtrIfTable } from '../../mibs/timetra-vrtr-mib.ts'
import { formOf, portRulesOf } from '../loaded/rules.ts'
import { need, phase, type TableNeed } from '../module.ts'
import { isFrom, when } from '../vendor.ts'
import { COUNTER_COLUMNS } from './counters.ts'
import { portDescription } from './description.ts'
import { isPort, portFilter } from './filter.ts'
import { IF_OBJECTS, IFX_OBJECTS, type PortRow } from './observation.ts'
import { MAX_HIGH_SPEED } from './poll.ts'
import { virtualRouterPorts } from './virtual-routers.ts'

function interfaces<T extends TableNeed>(asked: T): T {
  return { ...asked, interfaces: true }
}

const IF = mibTable(ifTable.name, ifTable.entry, { ...ifTable.columns, ...IF_OBJECTS })
const IFX = mibTable(ifXTable.name, ifXTable.entry, { ...ifXTable.columns, ...IFX_OBJECTS })
type IfRow = Row<typeof IF>
type IfXRow = Row<typeof IFX>

/** Names of columns. */
const namesOf = <M extends string>(objects: Readonly<Record<M, unknown>>) => Object.keys(objects) as M[]

/** The columns of ifTable that every discovery reads. */
export const INTERFACES = interfaces(
  need(IF, [
    ...new Set([
      'ifDescr',
      'ifType',
      'ifMtu',
      'ifSpeed',
      'ifPhysAddress',
      'ifAdminStatus',
      'ifOperStatus',
      'ifLastChange',
      'ifInErrors',
      'ifOutErrors',
      'ifInDiscards',
      'ifOutDiscards',
      ...namesOf(IF_OBJECTS),
    ] as const),
  ]),
)
/** The same of ifXTable. */
export const EXTENSION = interfaces(
  need(IFX, [
    ...new Set([
      'ifName',
      'ifAlias',
      'ifHighSpeed',
      'ifPromiscuousMode',
      'ifConnectorPresent',
      'ifHCInOctets',
      'ifHCOutOctets',
      'ifHCInUcastPkts',
      'ifHCOutUcastPkts',
      'ifHCInMulticastPkts',
      'ifHCOutMulticastPkts',
      'ifHCInBroadcastPkts',
      'ifHCOutBroadcastPkts',
      ...namesOf(IFX_OBJECTS),
    ] as const),
  ]),
)
const DUPLEX = interfaces(need(dot3StatsTable, ['dot3StatsDuplexStatus']))

/** Columns that show that an interface exists. Agents omit single ones, most often ifIndex. */
const EXISTENCE = ['ifDescr', 'ifType', 'ifOperStatus'] as const
const EXISTENCE_X = ['ifName', 'ifAlias'] as const

/** Maximum of ifSpeed (RFC 2863 §3.1.9); faster links have only ifHighSpeed. */
const IF_SPEED_CEILING = 4_294_967_295

const MAX_IF_INDEX = 0x7fff_ffff

/**
 * Interfaces. `definitionOf` returns the definition of the device's OS, `open` the loaded definitions, which may have
 * further rules. 32-bit counters are read only if 64-bit ones are missing somewhere or stay at zero on a port that is
 * up, as on agents that do not really implement them.
 */
export function discoverPorts(
  definitionOf: (os: string | null) => OsDefinition | undefined,
  open: (folder: unknown) => LoadedDefinitions,
) {
  return phase({
    tables: { interfaces: INTERFACES, extension: EXTENSION, duplex: DUPLEX },
    follow({ tables, device }) {
      const columns = missing32(tables.interfaces.rows, tables.extension.rows)
      const routers = isFrom(device, 'nokia')
      if (columns.length === 0 && !routers) return []
      const narrow = columns.filter((name): name is keyof typeof ifTable.columns => name in ifTable.columns)
      const narrowX = columns.filter((name): name is keyof typeof ifXTable.columns => name in ifXTable.columns)
      return [
        {
          key: 'narrow',
          tables: {
            narrow: interfaces(need(ifTable, narrow)),
            narrowX: interfaces(need(ifXTable, narrowX)),
            routers: when(routers, interfaces(need(vRtrIfTable))),
          },
        },
      ]
    },
    run({ device, tables, followed, unread }) {
      const { interfaces, extension, duplex } = tables
      const low = followed.get('narrow')?.tables
      const whole = interfaces.complete && extension.complete
      const loaded = formOf(open, device)
      const filter = portFilter(
        device.settings,
        definitionOf(device.os)?.ports ?? {},
        loaded === null ? {} : portRulesOf(loaded),
      )
      // ifIndex is at most 2^31 - 1 (InterfaceIndex of RFC 2863)
      const beyond = interfaces.rows
        .keys()
        .filter((index) => Number(index) > MAX_IF_INDEX)
        .toArray()
      if (beyond.length > 0) unread(ifTable, beyond)
      const rows: PortRow[] = []
      for (const index of indexes(interfaces.rows, extension.rows)) {
        // InterfaceIndex starts at 1, but A10 numbers its management interface 0.
        const ifIndex = Number(index)
        if (!Number.isInteger(ifIndex) || ifIndex < 0 || ifIndex > MAX_IF_INDEX) continue
        // ifXTable augments ifTable (RFC 2863), so an entry only in ifXTable is not an interface.
        if (whole && interfaces.rows.size > 0 && !interfaces.rows.has(index)) continue
        const base = interfaces.rows.get(index) ?? {}
        const extended = extension.rows.get(index) ?? {}
        const row = portRow(ifIndex, base, extended, duplex.rows.get(index)?.dot3StatsDuplexStatus, whole)
        if (!isPort(filter, seenOf(row))) continue
        rows.push({
          ...row,
          ...masks(base, extended, { ...low?.narrow.rows.get(index), ...low?.narrowX.rows.get(index) }),
        })
      }
      // an interface missing from a truncated table may be there
      const others = low === undefined || !whole ? [] : low.routers.rows
      const more = virtualRouterPorts(new Map(others), (ifIndex) => interfaces.rows.has(String(ifIndex)))
      if (rows.length > 0) rows.push(...more.filter((row) => isPort(filter, seenOf(row))))
      // An agent without any interface is still starting up: a subagent registers its table late.
      const complete = whole && (low?.routers.complete ?? true)
      return [{ kind: 'ports', complete: complete && rows.length > 0, rows }]
    },
  })
}

/** What the rules for ports look at. */
const seenOf = ({ ifDescr, ifName, ifAlias, ifType, ifOperStatus }: PortRow) => ({
  ifDescr: ifDescr ?? '',
  ifName: ifName ?? '',
  ifAlias: ifAlias ?? '',
  ifType: ifType ?? '',
  ifOperStatus: ifOperStatus ?? undefined,
})

function indexes(base: ReadonlyMap<string, IfRow>, extension: ReadonlyMap<string, IfXRow>): Set<string> {
  const found = new Set<string>()
  for (const [index, row] of base) if (EXISTENCE.some((name) => row[name] !== undefined)) found.add(index)
  for (const [index, row] of extension) if (EXISTENCE_X.some((name) => row[name] !== undefined)) found.add(index)
  return found
}

/**
 * An empty ifName or ifDescr is filled from the other, and an empty ifAlias from ifDescr, except after a truncated walk
 * (`whole` false), when the name may simply be missing.
 */
function portRow(ifIndex: number, base: IfRow, extended: IfXRow, duplex: number | undefined, whole: boolean): PortRow {
  const ifName = extended.ifName || (whole ? base.ifDescr : undefined) || undefined
  const ifDescr = base.ifDescr || (whole ? extended.ifName : undefined) || undefined
  const ifAlias = extended.ifAlias || (whole ? ifDescr : undefined)
  const sent = extended.ifHighSpeed
  const highSpeed = sent !== undefined && sent >= 0 && sent <= MAX_HIGH_SPEED ? sent : undefined
  const { ifSpeed } = base
  return {
    ifIndex,
    ifName,
    ifDescr,
    ifAlias,
    ...(ifAlias === undefined ? {} : portDescription(ifAlias)),
    ifType: base.ifType === undefined ? undefined : ifTypeName(base.ifType),
    ifSpeed: speed(ifSpeed, highSpeed),
    ifHighSpeed: highSpeed ?? (ifSpeed === undefined ? undefined : Math.round(ifSpeed / 1e6)),
    ifPhysAddress: base.ifPhysAddress === undefined ? undefined : macOf(base.ifPhysAddress),
    ifAdminStatus: enumName(IF_STATUS, base.ifAdminStatus),
    ifOperStatus: enumName(IF_STATUS, base.ifOperStatus),
    ifDuplex: enumName(DOT3_DUPLEX_STATUS, duplex),
    ifConnectorPresent: enumName(TRUTH_VALUE, extended.ifConnectorPresent),
    ifPromiscuousMode: enumName(TRUTH_VALUE, extended.ifPromiscuousMode),
    ...asRead(base, IF_OBJECTS),
    ...asRead(extended, IFX_OBJECTS),
  }
}

/** The values of these objects. */
function asRead<R, K extends keyof R>(row: R, objects: Readonly<Record<K, unknown>>): Pick<R, K> {
  return Object.fromEntries((Object.keys(objects) as K[]).map((name) => [name, row[name]])) as Pick<R, K>
}

/**
 * The 12 hex digits of an ifPhysAddress; null if it is empty or not a MAC address. Some agents send the address as
 * text.
 */
function macOf(digits: string): string | null {
  if (digits.length === 12) return digits
  return digits.length % 2 === 0 ? parseMac(new TextDecoder('latin1').decode(Uint8Array.fromHex(digits))) : null
}

/**
 * Speed in bit/s. ifHighSpeed is rounded to Mbit/s, so ifSpeed is more exact if the two agree and it is below its
 * maximum.
 */
function speed(ifSpeed: number | undefined, highSpeed: number | undefined): number | undefined {
  if (highSpeed === undefined || (highSpeed === 0 && ifSpeed !== IF_SPEED_CEILING)) return ifSpeed ?? highSpeed
  const exact = ifSpeed !== undefined && ifSpeed < IF_SPEED_CEILING && Math.abs(ifSpeed / 1e6 - highSpeed) <= 0.5
  return exact ? ifSpeed : highSpeed * 1e6
}

/** 32-bit columns worth reading. */
function missing32(base: ReadonlyMap<string, IfRow>, extension: ReadonlyMap<string, IfXRow>): readonly string[] {
  return COUNTER_COLUMNS.flatMap(({ hc, lc }) => {
    if (hc === null) return []
    for (const [index, row] of base) {
      const wide = readOf(extension.get(index), hc.name)
      const up = row.ifOperStatus === 1
      if (wide === undefined || (up && wide === 0n)) return [lc.name]
    }
    return []
  })
}

/**
 * Which counters the agent has for this interface, by width. A 64-bit counter at zero next to a moving 32-bit one
 * counts as missing.
 */
function masks(base: IfRow, extended: IfXRow, low: IfRow & IfXRow): { hcMask: number; lcMask: number } {
  let hcMask = 0
  let lcMask = 0
  COUNTER_COLUMNS.forEach(({ hc, lc }, counter) => {
    const narrow = readOf(low, lc.name) ?? readOf(base, lc.name)
    const wide = hc === null ? undefined : readOf(extended, hc.name)
    const fake = wide === 0n && typeof narrow === 'number' && narrow > 0
    if (wide !== undefined && !fake) hcMask |= 1 << counter
    if (narrow !== undefined) lcMask |= 1 << counter
  })
  return { hcMask, lcMask }
}

function readOf(row: IfRow | IfXRow | undefined, name: string): number | bigint | undefined {
  const value = (row as Readonly<Record<string, unknown>> | undefined)?.[name]
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined
}
