import { assembleRows, readAs } from '@portlight/snmp/table.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { DeviceFacts, Module } from '../../src/modules/module.ts'
import type { Observation } from '../../src/modules/observation.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { type Reader, runModules } from '../../src/modules/run.ts'

/** An agent's values by OID, and how it behaves. */
export interface Agent {
  readonly values: ReadonlyMap<string, SnmpValue>
  /** Values by SNMP context; those of the default context are in `values`. */
  readonly contexts?: Readonly<Record<string, ReadonlyMap<string, SnmpValue>>>
  /** Columns whose walk is truncated after this many rows, by OID. */
  readonly truncated?: Readonly<Record<string, number>>
  /** Columns and scalars that were requested, by OID. */
  readonly asked: string[]
}

export function agentOf(cells: Readonly<Record<string, SnmpValue>>, rest: Partial<Agent> = {}): Agent {
  return { values: new Map(Object.entries(cells)), asked: [], ...rest }
}

export const int = (value: number): SnmpValue => ({ kind: 'Integer32', value })
export const gauge = (value: number): SnmpValue => ({ kind: 'Gauge32', value })
export const counter32 = (value: number): SnmpValue => ({ kind: 'Counter32', value })
export const counter64 = (value: bigint): SnmpValue => ({ kind: 'Counter64', value })
export const text = (value: string): SnmpValue => ({ kind: 'OctetString', value: new TextEncoder().encode(value) })
export const octets = (hex: string): SnmpValue => ({ kind: 'OctetString', value: Uint8Array.fromHex(hex) })
export const oid = (value: string): SnmpValue => ({ kind: 'ObjectIdentifier', value })
export const ip = (value: string): SnmpValue => ({ kind: 'IpAddress', value })
export const ticks = (value: number): SnmpValue => ({ kind: 'TimeTicks', value })

/** A Reader over values in memory that follows the contract: a table exists if any of the columns does. */
export function readerOf(agent: Agent): Reader {
  return {
    table(needed, context) {
      const values = context === null ? agent.values : (agent.contexts?.[context] ?? new Map<string, SnmpValue>())
      const cells = new Map<string, Map<string, SnmpValue>>()
      let complete = true
      const asked: string[] = []
      for (const name of needed.columns) {
        const column = `${needed.table.entry}.${needed.table.columns[name]?.id}`
        asked.push(column)
        let rows = [...values]
          .filter(([key]) => key.startsWith(`${column}.`))
          .map(([key, value]) => [key.slice(column.length + 1), value] as const)
        const max = agent.truncated?.[column]
        if (max !== undefined) {
          complete = false
          rows = rows.slice(0, max)
        }
        cells.set(name, new Map(rows))
      }
      const supported = [...cells.values()].some(({ size }) => size > 0)
      // one GETNEXT shows that none of the columns has instances
      agent.asked.push(...(supported || !complete ? asked : asked.slice(0, 1)))
      if (!supported && complete) return Promise.resolve({ supported, complete, rows: new Map() })
      return Promise.resolve({ supported: true, complete, rows: assembleRows(needed.table, cells as never) })
    },
    scalars(list, context) {
      const own = context === null ? agent.values : (agent.contexts?.[context] ?? new Map<string, SnmpValue>())
      for (const { oid } of list) agent.asked.push(oid)
      const values = list.map((scalar) => {
        const value = own.get(scalar.oid)
        return value === undefined ? undefined : readAs(value, scalar.syntax)
      })
      return Promise.resolve({ complete: true, values })
    },
  }
}

export const FACTS: DeviceFacts = {
  deviceId: 1,
  hostname: 'device.example.net',
  os: null,
  sysObjectID: null,
  sysDescr: null,
  settings: {},
}

/** All observations of these modules during a discovery, in order. */
export const discover = (
  modules: readonly Module[],
  agent: Agent,
  facts: Partial<DeviceFacts> = {},
): Promise<readonly Observation[]> => read('discover', modules, agent, facts)

/** All observations of these modules during a poll, in order. */
export const poll = (
  modules: readonly Module[],
  agent: Agent,
  facts: Partial<DeviceFacts> = {},
): Promise<readonly Observation[]> => read('poll', modules, agent, facts)

async function read(
  kind: 'discover' | 'poll',
  modules: readonly Module[],
  agent: Agent,
  facts: Partial<DeviceFacts>,
): Promise<readonly Observation[]> {
  const found: Observation[] = []
  for await (const run of runModules(modules, kind, { ...FACTS, ...facts }, readerOf(agent))) {
    found.push(...run.observations)
  }
  return found
}

/** The only observation of a kind. Throws if there is none. */
export function only<K extends Observation['kind']>(
  observations: readonly Observation[],
  kind: K,
): Extract<Observation, { kind: K }> {
  const found = observations.find((o): o is Extract<Observation, { kind: K }> => o.kind === kind)
  if (found === undefined) throw new Error(`no observation of ${kind}`)
  return found
}

/** The module of this name. */
export function moduleOf(modules: readonly Module[], name: string): Module {
  const found = modules.find((module) => module.name === name)
  if (found === undefined) throw new Error(`no module ${name}`)
  return found
}

/** What a module discovers on the agent. */
export function run(module: string, agent: Agent, sysObjectID: string | null = null) {
  return discover([moduleOf(MODULES, module)], agent, { sysObjectID })
}

/** Cells of a table row: `{ column: value }` at an index. */
export function row(
  entry: string,
  index: string,
  cells: Readonly<Record<number, SnmpValue>>,
): Record<string, SnmpValue> {
  return Object.fromEntries(Object.entries(cells).map(([column, value]) => [`${entry}.${column}.${index}`, value]))
}
