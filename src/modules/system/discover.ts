import { type Column, col, type MibScalar, mibTable, type Rows, scalar } from '@portlight/snmp/table.ts'
import type { OsCatalogue } from '../../definitions/catalogue.ts'
import { detectionObjects, detectOs, type OsFacts } from '../../definitions/detect.ts'
import { identify, identityColumns, identityNeedsChassis, identityScalars } from '../../definitions/identity.ts'
import { type LoadedDefinitions, NO_DEFINITIONS } from '../../librenms/store.ts'
import { hrSystemUptime } from '../../mibs/host-resources-mib.ts'
import { snmpEngineID, snmpEngineTime } from '../../mibs/snmp-framework-mib.ts'
import { sysLocation, sysUpTime } from '../../mibs/snmpv2-mib.ts'
import { chassisOf, ENTITIES } from '../inventory/chassis.ts'
import { FOLDER_SETTING } from '../loaded/discover.ts'
import { answersIn, loadedSystem, WALKED } from '../loaded/system.ts'
import {
  type DeviceFacts,
  type FollowUp,
  need,
  phase,
  type TableNeed,
  type TableResult,
  type Tables,
} from '../module.ts'
import { SYSTEM_OBJECTS, type SystemObservation } from './observation.ts'
import { type Clocks, uptimeSeconds } from './uptime.ts'

/**
 * The system group and what the OS definition derives from it. If the agent stopped answering, members are `undefined`.
 * If it answered without sysObjectID and sysDescr, the device keeps its OS, because some agents occasionally omit the
 * group.
 */
export function discoverSystem(
  definitions: OsCatalogue,
  open: (folder: unknown) => LoadedDefinitions = () => NO_DEFINITIONS,
) {
  const factsOf = (
    { sysObjectID, sysDescr }: { sysObjectID?: string | undefined; sysDescr?: string | undefined },
    objects: Texts | undefined,
  ): OsFacts => ({
    sysObjectID: sysObjectID ?? null,
    sysDescr: sysDescr ?? null,
    objects: textsOf(objects ?? {}),
  })
  const detect = (facts: OsFacts) => detectOs(definitions.detectable(), facts)
  const loadedIn = (device: DeviceFacts) => loadedSystem(open(device.settings[FOLDER_SETTING]))
  return phase({
    scalars: { ...SYSTEM_OBJECTS, sysUpTime, sysLocation, snmpEngineID, snmpEngineTime, hrSystemUptime },
    *follow({ scalars, followed, device }) {
      const doubts = detectionObjects(definitions.detectable(), factsOf(scalars, undefined))
      if (doubts.length > 0) yield followUp('objects', doubts)
      const own = detect(factsOf(scalars, followed.get('objects')?.scalars))
      const loaded = loadedIn(device)
      const { objects, walks } = loaded.asked(scalars)
      if (objects.length > 0) yield values('loaded objects', objects)
      if (walks.length > 0) yield subtrees('loaded walks', walks)
      const { os } = loaded.detect(
        own,
        scalars,
        answersIn(followed.get('loaded objects'), followed.get('loaded walks')),
      )
      const oids = loaded.identityOids(os)
      if (oids.length > 0) yield values('loaded identity', oids)
      const definition = definitions.definitionOf(os)
      if (definition === undefined) return
      yield followUp('identity', identityScalars(definition), {
        entities: { ...need(ENTITIES.table), columns: identityNeedsChassis(definition) ? ENTITIES.columns : [] },
      })
      for (const oid of identityColumns(definition)) yield followUp(oid, [], { column: need(columnTable(oid)) })
    },
    run({ scalars, scalarsComplete, followed, device }): readonly [SystemObservation] {
      const more = followed.get('identity')
      const objects = followed.get('objects')
      const known = scalars.sysObjectID !== undefined || scalars.sysDescr !== undefined
      const base: { -readonly [K in keyof SystemObservation]: SystemObservation[K] } = {
        kind: 'system',
        ...picked(scalars, SYSTEM_OBJECTS),
        sysName: scalars.sysName || undefined,
        sysLocation: scalars.sysLocation,
        snmpEngineID: scalars.snmpEngineID?.toHex(),
        uptime: uptimeSeconds(clocksOf(scalars)),
      }
      if (!known || !scalarsComplete || objects?.scalarsComplete === false) return [base]
      const loaded = loadedIn(device)
      const asked = followed.get('loaded objects')
      const walked = followed.get('loaded walks')
      const silent = ({ complete, limitReached }: TableResult) => !complete && limitReached === undefined
      if (asked?.scalarsComplete === false || Object.values(walked?.tables ?? {}).some(silent)) return [base]
      const answers = answersIn(asked, walked)
      const { os, type, icon } = loaded.detect(detect(factsOf(scalars, objects?.scalars)), scalars, answers)
      const usable = loaded.usableClocks(os, clocksOf(scalars))
      base.uptime = usable === null ? undefined : uptimeSeconds(usable)
      const definition = definitions.definitionOf(os)
      const theirs = loaded.identity(os, scalars, followed.get('loaded identity'))
      if (definition === undefined || more === undefined) return [{ ...base, os, type, icon, ...theirs }]
      const columns = identityColumns(definition).map((oid) => ({ oid, column: followed.get(oid)?.tables.column }))
      const identity = identify(definition, {
        sysObjectID: scalars.sysObjectID ?? null,
        sysDescr: scalars.sysDescr ?? null,
        scalars: textsOf(more.scalars),
        columns: new Map(columns.map(({ oid, column }) => [oid, cellsOf(oid, column?.rows)])),
        chassis: chassisFields(chassisOf(more.tables.entities?.rows ?? new Map())),
      })
      // A truncated reading does not prove that a field is empty.
      const whole =
        more.scalarsComplete &&
        more.tables.entities?.complete !== false &&
        columns.every(({ column }) => column?.complete !== false)
      const orEmpty = (text: string | null) => text ?? (whole ? null : undefined)
      const own = {
        hardware: orEmpty(identity.hardware),
        version: orEmpty(identity.version),
        serial: orEmpty(identity.serial),
        features: orEmpty(identity.features),
      }
      return [{ ...base, os, type, icon, ...loaded.joined(own, theirs) }]
    },
  })
}

/** The members of `from` that `names` has. */
function picked<T extends object, K extends keyof T>(from: T, names: Readonly<Record<K, unknown>>): Pick<T, K> {
  const members = Object.entries(from).filter(([name]) => name in names)
  return Object.fromEntries(members) as Pick<T, K>
}

function clocksOf(scalars: {
  readonly sysUpTime?: number | undefined
  readonly snmpEngineTime?: number | undefined
  readonly hrSystemUptime?: number | undefined
}): Clocks {
  return { agentTicks: scalars.sysUpTime, engineS: scalars.snmpEngineTime, hostTicks: scalars.hrSystemUptime }
}

type Texts = Readonly<Record<string, unknown>>

interface IdentityTables extends Tables {
  readonly entities?: typeof ENTITIES
  readonly column?: TableNeed<ReturnType<typeof columnTable>>
}

/** A follow-up that reads objects as text, by their OIDs. */
function followUp(
  key: string,
  oids: readonly string[],
  tables: IdentityTables = {},
): FollowUp<IdentityTables, Record<string, MibScalar<'DisplayString'>>> {
  const scalars = Object.fromEntries(oids.map((oid) => [oid, scalar(`identity ${oid}`, oid, 'DisplayString')]))
  return { key, scalars, tables }
}

/** A follow-up that reads objects as raw values, by their OIDs. */
function values(key: string, oids: readonly string[]): FollowUp<IdentityTables, Record<string, MibScalar<'Value'>>> {
  return {
    key,
    scalars: Object.fromEntries(oids.map((oid) => [oid, scalar(`${key} ${oid}`, oid, 'Value')])),
    tables: {},
  }
}

/** A follow-up that walks these OIDs, each as a column whose indexes are the rest of the OID. */
function subtrees(key: string, oids: readonly string[]): FollowUp<IdentityTables, Record<string, MibScalar<'Value'>>> {
  const tables = oids.map((oid) => {
    const end = oid.lastIndexOf('.')
    const column = { [WALKED]: col(Number(oid.slice(end + 1)), 'Value') }
    return [oid, need(mibTable(`${key} ${oid}`, oid.slice(0, end), column))] as const
  })
  return { key, scalars: {}, tables: Object.fromEntries(tables) }
}

/** A table with the single column that a definition names, called by its OID. */
function columnTable(oid: string) {
  const end = oid.lastIndexOf('.')
  const columns: Readonly<Record<string, Column<'DisplayString'>>> = {
    [oid]: col(Number(oid.slice(end + 1)), 'DisplayString'),
  }
  return mibTable(`identity ${oid}`, oid.slice(0, end), columns)
}

function textsOf(values: Texts): ReadonlyMap<string, string> {
  return new Map(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** The cells of a column by index, in index order. */
function cellsOf(oid: string, rows: Rows<ReturnType<typeof columnTable>> | undefined): ReadonlyMap<string, string> {
  return new Map(
    [...(rows ?? [])]
      .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
      .flatMap(([index, { [oid]: text }]): [string, string][] => (text === undefined ? [] : [[index, text]])),
  )
}

/** The texts that a chassis row has. */
function chassisFields(row: ReturnType<typeof chassisOf>): Record<string, string> | null {
  if (row === null) return null
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(row)) if (typeof value === 'string') texts[name] = value
  return texts
}
