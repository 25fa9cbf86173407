import { expect } from 'bun:test'
import type { MibTable, Row } from '@portlight/snmp/table.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { type ModuleRun, type Reader, runModules } from '../../src/modules/run.ts'
import { FACTS, moduleOf } from './agent.ts'

/** What `work` gives, which must not take more than so many seconds of CPU time. */
export async function within<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage()
  const result = await work()
  const { user } = process.cpuUsage(before)
  expect(user / 1e6).toBeLessThan(seconds)
  return result
}

/** What a module discovers, with all that is reported of it. */
export async function runOf(module: string, reader: Reader, sysObjectID: string): Promise<ModuleRun> {
  const runs = runModules([moduleOf(MODULES, module)], 'discover', { ...FACTS, sysObjectID }, reader)
  for await (const one of runs) return one
  throw new Error('no run')
}

/** The rows of a table by their number, from 1; a context, if it is not the default one. */
export type MakeRow = (i: number, context: string | null) => readonly [index: string, row: object]

/** A reader of tables by name, in the default context; with `scalars`, by context and OID, in all contexts. */
export function tables(
  rowsOf: Readonly<Record<string, MakeRow>>,
  count: number,
  scalars?: (context: string | null) => Readonly<Record<string, number | string | Uint8Array>>,
): Reader {
  return {
    table<T extends MibTable>({ table }: { readonly table: T }, context: string | null) {
      const isThere = context === null || scalars !== undefined
      const name = table.name.slice(table.name.indexOf('::') + 2)
      const made = isThere ? rowsOf[name] : undefined
      const rows = new Map<string, Row<T>>()
      for (let i = 1; made !== undefined && i <= count; i++) rows.set(...(made(i, context) as [string, Row<T>]))
      return Promise.resolve({ supported: rows.size > 0, complete: isThere, rows })
    },
    scalars: (list, context) =>
      Promise.resolve({ complete: true, values: list.map(({ oid }) => scalars?.(context)[oid]) }),
  }
}
