import { expect, test } from 'bun:test'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, counter64, discover, gauge, int, moduleOf, text } from './agent.ts'

const ENTERPRISES = '1.3.6.1.4.1'
export const MIB = 1024 ** 2

/** A device of a vendor: its values by OID below enterprises, and what is found, read off the vendor's MIB. */
export interface Product {
  readonly name: string
  readonly os?: string
  /** Below enterprises. */
  readonly product?: string
  readonly cells: Readonly<Record<string, number | string>>
  /** `name: percent`. */
  readonly processors?: readonly string[]
  /** `class name: used/total`, in octets, or percent of 100. */
  readonly mempools?: readonly string[]
  /** `name: used/size`. */
  readonly storage?: readonly string[]
}

function value(cell: number | string) {
  if (typeof cell === 'string') return text(cell)
  return cell < 2 ** 31 ? int(cell) : cell < 2 ** 32 ? gauge(cell) : counter64(BigInt(cell))
}

/** Each product is found as its MIB says. */
export function testProducts(products: readonly Product[]): void {
  test.each(products)('$name', async ({ os, product, cells, processors = [], mempools = [], storage = [] }) => {
    const agent = agentOf(
      Object.fromEntries(Object.entries(cells).map(([id, cell]) => [`${ENTERPRISES}.${id}`, value(cell)])),
    )
    const found = await discover([moduleOf(MODULES, 'defined-health')], agent, {
      os: os ?? null,
      sysObjectID: product === undefined ? null : `${ENTERPRISES}.${product}`,
      sysDescr: null,
    })
    const loads = found.flatMap((o) => (o.kind === 'processors' ? [...o.rows] : []))
    const pools = found.flatMap((o) => (o.kind === 'mempools' ? [...o.rows] : []))
    const stores = found.flatMap((o) => (o.kind === 'storage' ? [...o.rows] : []))
    expect({
      processors: loads.flatMap((row) =>
        row.processor_usage === null ? [] : [`${row.processor_descr}: ${row.processor_usage}`],
      ),
      mempools: pools.map((r) => `${r.mempool_class} ${r.mempool_descr}: ${r.mempool_used}/${r.mempool_total}`),
      storage: stores.map((row) => `${row.storage_descr}: ${row.storage_used}/${row.storage_size}`),
    }).toEqual({ processors: [...processors], mempools: [...mempools], storage: [...storage] })
  })
}
