import type { Sql } from '../database/client.ts'
import type { Installation, TableSpec } from './context.ts'
import { convertRow, type References } from './convert.ts'
import type { PortProbe } from './history/probe.ts'
import {
  allRows,
  billSums,
  closedPeriods,
  countPresent,
  newestTimes,
  octetsBetween,
  usableTokens,
} from './read-checks.ts'
import type { Check } from './report.ts'
import { findTable, intOf } from './source.ts'
import { BILLS, billDataTable } from './tables/bills.ts'
import { readJournal } from './write-journal.ts'
import type { JsonRow, TargetTable } from './write-tables.ts'

export interface CheckOptions {
  readonly sql: Sql
  /** The source's name in the journal. */
  readonly name: string
  readonly of: Installation
  readonly references: References
  readonly tables: ReadonlyMap<string, TargetTable>
  /** How the tables of the inventory are imported. */
  readonly specs: readonly TableSpec[]
  /** Ports whose whole history was stored in this run. */
  readonly probes: readonly PortProbe[]
}

/** Tolerance for differing clocks. */
const AHEAD_S = 300
/**
 * Tolerance for rounding: each row of a port is a whole number of octets, with the remainder carried over to the next.
 */
const RELATIVE = 1e-6

/** Checks that everything found in the source is here, each with the expected and the found value. Only reads. */
export async function checkImport(options: CheckOptions): Promise<readonly Check[]> {
  return [
    ...(await mapChecks(options)),
    ...(await ownerChecks(options)),
    ...(await billChecks(options)),
    ...(await periodChecks(options)),
    ...(await tokenChecks(options)),
    ...(await octetChecks(options)),
    ...(await timeChecks(options)),
  ]
}

function check(name: string, expected: number | string, found: number | string, holds = expected === found): Check {
  return { name, expected: String(expected), found: String(found), holds }
}

/** Tables that say what belongs to what, and what that means. */
const MAPS: Readonly<Record<string, string>> = {
  alert_device_map: 'devices of rules',
  alert_group_map: 'groups of rules',
  alert_location_map: 'locations of rules',
  alert_template_map: 'templates of rules',
  alert_transport_map: 'receivers of rules',
  alert_operation_transport_map: 'receivers of operations',
  transport_group_transport: 'members of transport groups',
  device_group_device: 'members of device groups',
  port_group_port: 'members of port groups',
  bill_ports: 'ports of bills',
  devices_perms: 'devices of users',
  ports_perms: 'ports of users',
  devices_group_perms: 'groups of users',
  device_relationships: 'parents of devices',
  alert_schedulables: 'what maintenance covers',
}

/** What belongs to what is the same as in the installation: the source is read again and compared row by row. */
async function mapChecks({ sql, of, references, tables, specs }: CheckOptions): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const spec of specs) {
    const what = MAPS[spec.table]
    const from = findTable(of.source, spec.table)
    const target = tables.get(spec.table)
    if (what === undefined || from === null || target === undefined) continue
    const wanted = new Set<string>()
    const quiet = { ...of, note: () => undefined }
    for await (const rows of of.source.rows(from))
      for (const row of rows) {
        const values = convertRow(row, spec, target, quiet, { ids: references.ids, adjusted: { count: 0 } })
        if (values !== null && values !== 'left out') wanted.add(pairOf(target, values))
      }
    if (wanted.size === 0) continue
    const here = await allRows(sql, target)
    const present = new Set(here.map((row) => pairOf(target, row)))
    const found = [...wanted].filter((row) => present.has(row)).length
    checks.push(check(what, wanted.size, found))
  }
  return checks
}

/** What a row of a map joins. */
function pairOf({ columns, id }: TargetTable, row: JsonRow): string {
  const joined = columns.filter(
    ({ name }) => name !== id && (name.endsWith('_id') || name.endsWith('_type') || name.endsWith('_ids')),
  )
  return joined.map(({ name }) => String(row[name] ?? '')).join(' ')
}

/** The rows that others refer to are present under the ids recorded for them. */
async function ownerChecks({ sql, references, tables }: CheckOptions): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const [table, ids] of references.ids) {
    const target = tables.get(table)
    if (target === undefined || target.id === null || ids.size === 0) continue
    const distinct = [...new Set(ids.values())]
    checks.push(check(`${table} by id`, distinct.length, await countPresent(sql, target, distinct)))
  }
  return checks
}

/** The traffic of each bill has the same totals as in the installation. */
async function billChecks({ sql, name, of, references, tables }: CheckOptions): Promise<readonly Check[]> {
  const from = findTable(of.source, 'bill_data')
  const target = tables.get('bill_data')
  const upto = (await readJournal(sql, name)).get('table bill_data')?.uptoId ?? null
  if (from === null || target === undefined || upto === null) return []
  const spec = billDataTable()
  const sums = new Map<number, { delta: bigint; inDelta: bigint; outDelta: bigint }>()
  const last = new Map<number, unknown>()
  for await (const rows of of.source.rows(from, { orderBy: 'id' })) {
    for (const row of rows) {
      const values = convertRow(row, spec, target, of, references)
      if (values === null || values === 'left out' || (intOf(row, 'id') ?? 0) > upto) continue
      const bill = Number(values['bill_id'])
      // Of two rows with the same time only one is imported.
      if (last.get(bill) === values['timestamp']) continue
      last.set(bill, values['timestamp'])
      const sum = sums.get(bill) ?? { delta: 0n, inDelta: 0n, outDelta: 0n }
      sums.set(bill, sum)
      sum.delta += BigInt(intOf(row, 'delta') ?? 0)
      sum.inDelta += BigInt(intOf(row, 'in_delta') ?? 0)
      sum.outDelta += BigInt(intOf(row, 'out_delta') ?? 0)
    }
  }
  const here = new Map((await billSums(sql, upto)).map((sum) => [sum.bill, sum]))
  return [...sums].map(([bill, { delta, inDelta, outDelta }]) => {
    const own = here.get(bill)
    const found = own === undefined ? 'none' : `${own.delta}, ${own.inDelta}, ${own.outDelta}`
    return check(`octets of bill ${bill}: total, in, out`, `${delta}, ${inDelta}, ${outDelta}`, found)
  })
}

/** Closed periods are identical to what was invoiced, column by column. */
async function periodChecks({ sql, of, references, tables }: CheckOptions): Promise<readonly Check[]> {
  const from = findTable(of.source, 'bill_history')
  const target = tables.get('bill_history')
  const spec = BILLS.find(({ table }) => table === 'bill_history')
  const ids = references.ids.get('bill_history') ?? new Map<number, number>()
  if (from === null || target === undefined || spec === undefined || ids.size === 0) return []
  const here = await closedPeriods(sql, [...ids.values()])
  let compared = 0
  const different: number[] = []
  for await (const rows of of.source.rows(from)) {
    for (const row of rows) {
      const values = convertRow(row, spec, target, of, references)
      const id = ids.get(intOf(row, 'bill_hist_id') ?? 0)
      if (values === null || values === 'left out' || id === undefined) continue
      compared++
      const own = here.get(id)
      const same = Object.entries(values).every(
        ([column, value]) => column === 'updated' || plain(own?.[column]) === plain(value),
      )
      if (!same) different.push(id)
    }
  }
  const found =
    different.length === 0 ? compared : `${compared - different.length}, not ${different.slice(0, 10).join(', ')}`
  return [check('closed billing periods, column by column', compared, found)]
}

/** A value in canonical form, because numbers and times have several text forms. */
function plain(value: unknown): string {
  const text = String(value ?? '')
  if (/^-?\d+(\.\d+)?$/.test(text)) return String(Number(text))
  return /^\d{4}-\d\d-\d\dT/.test(text) ? String(Date.parse(text)) : text
}

/** As many tokens are usable as in the installation. */
async function tokenChecks({ sql, of, references }: CheckOptions): Promise<readonly Check[]> {
  const from = findTable(of.source, 'api_tokens')
  const ids = references.ids.get('api_tokens') ?? new Map<number, number>()
  if (from === null) return []
  let enabled = 0
  for await (const rows of of.source.rows(from, { columns: ['id', 'disabled'] }))
    for (const row of rows) if (intOf(row, 'disabled') === 0 && ids.has(intOf(row, 'id') ?? 0)) enabled++
  return [check('usable tokens', enabled, await usableTokens(sql, [...ids.values()]))]
}

/** The octets of some ports match those in their files, at each level. */
async function octetChecks({ sql, probes }: CheckOptions): Promise<readonly Check[]> {
  const checks: Check[] = []
  for (const { portId, levels } of probes) {
    for (const { level, fromS, toS, octets, gaps } of levels) {
      const found = await octetsBetween(sql, portId, level, fromS, toS)
      const holds = Math.abs(found - octets) <= Math.max(RELATIVE * octets, 1 + gaps)
      const name = level === 'samples' ? 'samples' : level === '1h' ? 'hours' : 'days'
      checks.push(check(`octets of port ${portId} in its ${name}`, Math.round(octets), found, holds))
    }
  }
  return checks
}

async function timeChecks({ sql }: CheckOptions): Promise<readonly Check[]> {
  const now = Date.now() / 1000
  return Object.entries(await newestTimes(sql)).flatMap(([table, newestS]) =>
    newestS === null
      ? []
      : [
          check(
            `newest row of ${table}`,
            'not in the future',
            new Date(newestS * 1000).toISOString(),
            newestS <= now + AHEAD_S,
          ),
        ],
  )
}
