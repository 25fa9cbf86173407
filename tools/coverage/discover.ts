import { assembleRows, readAs } from '@portlight/snmp/table.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { merged, type Preference } from '../../src/modules/loaded/merge.ts'
import type { DeviceFacts, Read, TableNeed } from '../../src/modules/module.ts'
import type { Observation } from '../../src/modules/observation.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { type Reader, runModules } from '../../src/modules/run.ts'
import type { RecordedDevice, Values } from './recordings.ts'

/** What a discovery of a recording gave. */
export interface Discovered {
  readonly device: Pick<DeviceFacts, 'os' | 'sysObjectID' | 'sysDescr' | 'identity'>
  readonly observations: readonly Observation[]
  /** OIDs of the columns and single objects that were asked for. */
  readonly asked: ReadonlySet<string>
}

/** Discovers a recording as the poller would, without a network. `settings` are all settings of the poller by name. */
export async function discoverRecorded(
  recorded: RecordedDevice,
  settings: Readonly<Record<string, unknown>>,
): Promise<Discovered> {
  const asked = new Set<string>()
  const facts: DeviceFacts = {
    deviceId: 1,
    hostname: recorded.name,
    os: null,
    sysObjectID: null,
    sysDescr: null,
    settings: settings as DeviceFacts['settings'],
  }
  const runs: { module: string; observations: readonly Observation[] }[] = []
  let device: Discovered['device'] = facts
  for await (const run of runModules(MODULES, 'discover', facts, readerOf(recorded, asked))) {
    runs.push({ module: run.name, observations: run.observations })
    for (const found of run.observations) if (found.kind === 'system') device = withSystem(device, found)
  }
  return { device, observations: merged(runs, settings['definitions.prefer'] as Preference), asked }
}

type System = Extract<Observation, { kind: 'system' }>

/** As later modules see the device. */
function withSystem(device: Discovered['device'], found: System): Discovered['device'] {
  return {
    os: found.os ?? device.os,
    sysObjectID: found.sysObjectID ?? device.sysObjectID,
    sysDescr: found.sysDescr ?? device.sysDescr,
    identity: {
      sysName: found.sysName ?? null,
      version: found.version ?? null,
      hardware: found.hardware ?? null,
      features: found.features ?? null,
    },
  }
}

/** Reads from a recording what a definition asks for. */
export async function readNeeds(
  recorded: RecordedDevice,
  { tables, scalars }: { readonly tables: Readonly<Record<string, TableNeed>>; readonly scalars: Scalars },
): Promise<Read> {
  const reader = readerOf(recorded, new Set())
  const found = await reader.scalars(Object.values(scalars), null)
  return {
    tables: Object.fromEntries(
      await Promise.all(Object.entries(tables).map(async ([name, need]) => [name, await reader.table(need, null)])),
    ),
    scalars: Object.fromEntries(Object.keys(scalars).map((name, i) => [name, found.values[i]])),
    scalarsComplete: true,
  }
}
type Scalars = Readonly<Record<string, Parameters<Reader['scalars']>[0][number]>>

function readerOf({ values, contexts }: RecordedDevice, asked: Set<string>): Reader {
  const ranges = new Map<Values, Range>()
  const rangeOf = (context: string | null): Range => {
    const own = context === null ? values : (contexts.get(context) ?? EMPTY)
    const range = ranges.get(own) ?? new Range(own)
    ranges.set(own, range)
    return range
  }
  return {
    table(needed, context) {
      const cells = new Map<string, ReadonlyMap<string, SnmpValue>>()
      for (const name of needed.columns) {
        const column = `${needed.table.entry}.${needed.table.columns[name]?.id}`
        asked.add(column)
        cells.set(name, rangeOf(context).below(column))
      }
      const supported = [...cells.values()].some(({ size }) => size > 0)
      const rows = supported ? assembleRows(needed.table, cells as never) : new Map()
      return Promise.resolve({ supported, complete: true, rows })
    },
    scalars(list, context) {
      const own = context === null ? values : (contexts.get(context) ?? EMPTY)
      const found = list.map(({ oid, syntax }) => {
        asked.add(oid)
        const value = own.get(oid)
        return value === undefined ? undefined : readAs(value, syntax)
      })
      return Promise.resolve({ complete: true, values: found })
    },
  }
}
const EMPTY: Values = new Map()

/** Values by the column that they are in, for every way to divide an OID into column and index. */
export class Range {
  private readonly oids: readonly string[]
  private readonly at: ReadonlyMap<string, number>

  /** `values` in the order of their OIDs. */
  constructor(private readonly values: Values) {
    this.oids = [...values.keys()]
    const at = new Map<string, number>()
    for (const [i, oid] of this.oids.entries())
      for (let end = oid.lastIndexOf('.'); end > 0; end = oid.lastIndexOf('.', end - 1)) {
        const prefix = oid.slice(0, end)
        if (at.has(prefix)) break
        at.set(prefix, i)
      }
    this.at = at
  }

  /** Values below an OID by the rest of their OIDs. */
  below(oid: string): ReadonlyMap<string, SnmpValue> {
    const found = new Map<string, SnmpValue>()
    for (let i = this.at.get(oid) ?? this.oids.length; i < this.oids.length; i++) {
      const full = this.oids[i] ?? ''
      if (!full.startsWith(`${oid}.`)) break
      const value = this.values.get(full)
      if (value !== undefined) found.set(full.slice(oid.length + 1), value)
    }
    return found
  }
}
