import { expect, test } from 'bun:test'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, counter64, discover, gauge, int, moduleOf, text } from './agent.ts'

const ENTERPRISES = '1.3.6.1.4.1'
export const MIB = 1024 ** 2

/** A vendor's device: its values by OID below enterprises, and the expected results, taken from the vendor's MIB. */
export interface Product {
  readonly name: string
  readonly os?: string
  /** Rest of its sysObjectID below enterprises. */
  readonly product?: string
  /** By OID below enterprises, or by full OID for a standard MIB. */
  readonly cells: Readonly<Record<string, number | string>>
  /** `name: percent`. */
  readonly processors?: readonly string[]
  /** `class name: used/total`, in bytes, or in percent of 100. */
  readonly mempools?: readonly string[]
  /** `name: used/size`. */
  readonly storage?: readonly string[]
  /** `class name: value`, sorted by class and name. */
  readonly sensors?: readonly string[]
  /** Limits that the agent reports, by sensor name; `null`: none, not even a guessed one. */
  readonly limits?: Readonly<Record<string, Partial<Record<'low' | 'lowWarn' | 'warn' | 'high', number | null>>>>
}

function value(cell: number | string) {
  if (typeof cell === 'string') return text(cell)
  return cell < 2 ** 31 ? int(cell) : cell < 2 ** 32 ? gauge(cell) : counter64(BigInt(cell))
}

/** Checks that each product is found as its MIB describes. */
export function testProducts(products: readonly Product[]): void {
  test.each(products)(
    '$name',
    async ({ os, product, cells, processors = [], mempools = [], storage = [], ...rest }) => {
      const agent = agentOf(
        Object.fromEntries(
          Object.entries(cells).map(([id, cell]) => [
            id.startsWith('1.3.6.1.2.') ? id : `${ENTERPRISES}.${id}`,
            value(cell),
          ]),
        ),
      )
      const found = await discover([moduleOf(MODULES, 'defined-health')], agent, {
        os: os ?? null,
        sysObjectID: product === undefined ? null : `${ENTERPRISES}.${product}`,
        sysDescr: null,
      })
      const loads = found.flatMap((o) => (o.kind === 'processors' ? [...o.rows] : []))
      const pools = found.flatMap((o) => (o.kind === 'mempools' ? [...o.rows] : []))
      const stores = found.flatMap((o) => (o.kind === 'storage' ? [...o.rows] : []))
      const sensors = found.flatMap((o) => (o.kind === 'sensors' ? [...o.rows] : []))
      if (rest.sensors !== undefined) {
        const shown = sensors.map((row) => `${row.sensor_class} ${row.sensor_descr}: ${row.sensor_current}`)
        expect(shown.sort()).toEqual([...rest.sensors].sort())
      }
      for (const [name, limits] of Object.entries(rest.limits ?? {})) {
        const row = sensors.find(({ sensor_descr }) => sensor_descr === name)
        const given = {
          low: row?.sensor_limit_low,
          lowWarn: row?.sensor_limit_low_warn,
          warn: row?.sensor_limit_warn,
          high: row?.sensor_limit,
        }
        expect({ name, ...given }).toMatchObject({ name, ...limits })
      }
      expect({
        processors: loads.flatMap((row) =>
          row.processor_usage === null ? [] : [`${row.processor_descr}: ${row.processor_usage}`],
        ),
        mempools: pools.map((r) => `${r.mempool_class} ${r.mempool_descr}: ${r.mempool_used}/${r.mempool_total}`),
        storage: stores.map((row) => `${row.storage_descr}: ${row.storage_used}/${row.storage_size}`),
      }).toEqual({ processors: [...processors], mempools: [...mempools], storage: [...storage] })
    },
  )
}
