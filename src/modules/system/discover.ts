import { type Column, col, type MibScalar, mibTable, scalar } from '@portlight/snmp/table.ts'
import type { OsCatalogue } from '../../definitions/catalogue.ts'
import type { OsDefinition } from '../../definitions/definition.ts'
import { type DetectedOs, detectionObjects, detectOs, isOfVendor, type OsFacts } from '../../definitions/detect.ts'
import {
  type Identity,
  identify,
  identityColumns,
  identityNeedsChassis,
  identityScalars,
} from '../../definitions/identity.ts'
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
  type Read,
  type TableNeed,
  type TableResult,
  type Tables,
} from '../module.ts'
import { givenByChassis } from './chassis-fields.ts'
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
  /**
   * Our definition of the OS; of an OS that only loaded definitions know, the one that its vendor's objects are read by: ours
   * has another name for it or does not tell the vendor's systems apart. `isSame`: it is of this OS.
   */
  const definitionFor = (os: string, own: DetectedOs, sysObjectID: string | undefined) => {
    const same = definitions.definitionOf(os)
    if (same !== undefined) return { definition: same, isSame: true }
    const ours = definitions.definitionOf(own.os)
    return { definition: ours !== undefined && isOfVendor(ours, sysObjectID) ? ours : undefined, isSame: false }
  }
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
      const { definition } = definitionFor(os, own, scalars.sysObjectID)
      if (definition !== undefined) {
        yield followUp('identity', identityScalars(definition), {
          entities: { ...need(ENTITIES.table), columns: identityNeedsChassis(definition) ? ENTITIES.columns : [] },
        })
        for (const oid of identityColumns(definition)) yield followUp(oid, [], { column: need(columnTable(oid)) })
      }
      const theirs = loaded.identity(os, scalars, followed.get('loaded identity'))
      const serial = identityIn(definition, scalars, followed)?.fields.serial ?? theirs.serial
      if (!serial) yield followUp('chassis', [], { entities: ENTITIES })
    },
    run({ scalars, scalarsComplete, followed, device }): readonly [SystemObservation] {
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
      const found = detect(factsOf(scalars, objects?.scalars))
      const { os, type, icon } = loaded.detect(found, scalars, answers)
      const usable = loaded.usableClocks(os, clocksOf(scalars))
      base.uptime = usable === null ? undefined : uptimeSeconds(usable)
      const { definition, isSame } = definitionFor(os, found, scalars.sysObjectID)
      const theirs = loaded.identity(os, scalars, followed.get('loaded identity'))
      const own = identityIn(definition, scalars, followed)
      const chassis = followed.get('chassis')?.tables['entities']
      // A truncated reading does not prove that a field is empty.
      const orEmpty = (text: string | null) => text ?? (own?.whole && chassis?.complete !== false ? null : undefined)
      const fields = own === null ? {} : mapped(own.fields, orEmpty)
      // a definition of the vendor's other systems fills what that of this one leaves empty
      const joined = isSame ? loaded.joined(fields, theirs) : loaded.joined(theirs, fields)
      return [{ ...base, os, type, icon, ...givenByChassis(joined, chassis?.rows) }]
    },
  })
}

/** The result of any follow-up. */
interface Followed extends Pick<Read, 'scalars' | 'scalarsComplete'> {
  readonly tables: Readonly<Record<string, TableResult | undefined>>
}

/** What a definition derives from what was read for it. `whole`: everything was read to the end. */
function identityIn(
  definition: OsDefinition | undefined,
  scalars: { readonly sysObjectID?: string | undefined; readonly sysDescr?: string | undefined },
  followed: ReadonlyMap<string, Followed>,
): { readonly fields: Identity; readonly whole: boolean } | null {
  const read = followed.get('identity')
  if (definition === undefined || read === undefined) return null
  const columns = identityColumns(definition).map((oid) => ({ oid, column: followed.get(oid)?.tables['column'] }))
  const entities = read.tables['entities']
  const fields = identify(definition, {
    sysObjectID: scalars.sysObjectID ?? null,
    sysDescr: scalars.sysDescr ?? null,
    scalars: textsOf(read.scalars),
    columns: new Map(columns.map(({ oid, column }) => [oid, cellsOf(oid, column?.rows)])),
    chassis: chassisFields(chassisOf(entities?.rows ?? new Map())),
  })
  const whole =
    read.scalarsComplete && entities?.complete !== false && columns.every(({ column }) => column?.complete !== false)
  return { fields, whole }
}

function mapped(fields: Identity, of: (text: string | null) => string | null | undefined) {
  const { hardware, version, serial, features } = fields
  return { hardware: of(hardware), version: of(version), serial: of(serial), features: of(features) }
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

/** The texts of a column by index, in index order. */
function cellsOf(oid: string, rows: TableResult['rows'] | undefined): ReadonlyMap<string, string> {
  return new Map(
    [...(rows ?? [])]
      .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
      .flatMap(([index, { [oid]: text }]): [string, string][] => (typeof text === 'string' ? [[index, text]] : [])),
  )
}

/** The texts that a chassis row has. */
function chassisFields(row: ReturnType<typeof chassisOf>): Record<string, string> | null {
  if (row === null) return null
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(row)) if (typeof value === 'string') texts[name] = value
  return texts
}
