import { formatOid } from '@portlight/snmp/oid.ts'
import { type OidList, startOf } from '@portlight/snmp/oid-list.ts'
import type { PastAnswer, PastQuestion } from '../../demo/past.ts'
import { PORT_COUNTER_COUNT } from '../../lib/port-counters.ts'
import type { PollOutcome, PollPlan, PortColumns } from '../../poller/protocol.ts'
import type { PortCounters } from '../../series/samples.ts'

/** What to ask the fleet for one past poll of a device. */
export type PastPoll = Omit<PastQuestion, 'moments'>

/** Everything a poll by this plan reads: counters as [counter][row], then gauges, ifAdminStatus and ifOperStatus by row. */
export function pastPoll(plan: PollPlan): PastPoll {
  const counters: string[] = Array.from({ length: PORT_COUNTER_COUNT * plan.ifIndex.length }, () => '')
  for (const { field, oid, bits } of plan.columns) {
    if (typeof field !== 'number') continue
    for (const [row, ifIndex] of plan.ifIndex.entries()) {
      if (isWide(plan, row, field) === (bits === 64)) counters[field * plan.ifIndex.length + row] = `${oid}.${ifIndex}`
    }
  }
  const column = (name: string): string[] => {
    const found = plan.columns.find(({ field }) => field === name)
    return [...plan.ifIndex].map((ifIndex) => (found === undefined ? '' : `${found.oid}.${ifIndex}`))
  }
  const numbers = [...texts(plan.gauges), ...column('ifAdminStatus'), ...column('ifOperStatus')]
  return { counters, numbers, ...(plan.texts !== undefined && { texts: plan.texts }) }
}

/** Dotted decimal. */
function texts(oids: OidList): string[] {
  return Array.from(oids.ends, (end, i) => formatOid(oids.octets, startOf(oids, i), end))
}

function isWide({ wide }: PollPlan, row: number, counter: number): boolean {
  return (((wide[row] as number) >> counter) & 1) === 1
}

/** Cost of the past polls, taken from the first real one. */
export interface PastCost {
  readonly tookMs: number
  readonly requests: number
}

/**
 * The outcome of the poll at moment `m` of the answer. `state` holds the counters that a real poll read at that moment;
 * null: use those of the answer.
 */
export function pastOutcome(
  plan: PollPlan,
  answer: PastAnswer,
  m: number,
  at: number,
  { tookMs, requests }: PastCost,
  state: PortCounters | null,
): Exclude<PollOutcome, { kind: 'planless' }> {
  const ticks = answer.ticks[m] ?? Number.NaN
  if (Number.isNaN(ticks))
    return { kind: 'failed', at, cost: { tookMs: 3000, requests: 1, timeouts: 1 }, failure: { kind: 'timeout' } }
  const rows = plan.ifIndex.length
  const gauges = plan.gauges.ends.length
  const width = gauges + 2 * rows
  const numbers = answer.numbers.subarray(m * width, (m + 1) * width)
  return {
    kind: 'answered',
    at,
    cost: { tookMs, requests, timeouts: 0 },
    uptimeTicks: ticks,
    clocks: null,
    failure: null,
    ports: rows === 0 ? null : portColumns(plan, rows, answer, m, ticks, numbers.subarray(gauges), state),
    gauges: gauges === 0 ? null : numbers.slice(0, gauges),
    took: {
      portsMs: rows === 0 ? null : tookMs * 0.7,
      gaugesMs: gauges === 0 ? null : tookMs * 0.6,
      modules: plan.modules.map((name) => ({ name, tookMs: (tookMs * 0.3) / plan.modules.length })),
    },
    observations: [],
    bulk: null,
  }
}

function portColumns(
  plan: PollPlan,
  rows: number,
  { counters, known }: PastAnswer,
  m: number,
  ticks: number,
  statuses: Float64Array,
  state: PortCounters | null,
): PortColumns {
  const cells = rows * PORT_COUNTER_COUNT
  const present = new Uint32Array(rows)
  const narrow = new Uint32Array(rows)
  for (let c = 0; c < PORT_COUNTER_COUNT; c++) {
    for (let row = 0; row < rows; row++) {
      if (known[m * cells + c * rows + row] === 1) present[row] = (present[row] as number) | (1 << c)
      if (!isWide(plan, row, c)) narrow[row] = (narrow[row] as number) | (1 << c)
    }
  }
  return {
    rows,
    narrow,
    ...(state === null
      ? { ticks: new Uint32Array(rows).fill(ticks), counters: counters.slice(m * cells, (m + 1) * cells), present }
      : { ticks: state.ticks, counters: state.counters, present: state.present }),
    admin: Uint8Array.from(statuses.subarray(0, rows)),
    oper: Uint8Array.from(statuses.subarray(rows, 2 * rows)),
    highSpeed: new Uint32Array(rows).fill(0xffffffff),
    texts: [],
    missing: 0,
    unknown: 0,
  }
}
