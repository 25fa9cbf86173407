import { type BillSample, inOctets, known, outOctets, rate, round2 } from './usage.ts'

/** Points of a bill's traffic in bits per second (operation get_bill_graphdata, type bits). */
export interface BillPoints {
  /** Epoch seconds of the first and last sample; null: none. */
  readonly first: number | null
  readonly last: number | null
  readonly in_data: number[]
  readonly out_data: number[]
  readonly tot_data: number[]
  /** Epoch seconds of the last sample of each point. */
  readonly ticks: number[]
  readonly max_in?: number
  readonly max_out?: number
  readonly ave_in?: number
  readonly ave_out?: number
  readonly last_in?: number
  readonly last_out?: number
}

/** Number of samples per point if the client does not specify it, which gives about 400 points. */
export function usualFactor(fromS: number, toS: number): number {
  return Math.max(1, Math.floor(Math.ceil((toS - fromS) / 300) / 400))
}

/**
 * Combines every `factor` samples, in order, into a point. The remaining samples make a point if they have inbound
 * traffic. Source: contract BEHAVIOUR.md 14, graphdata bits.
 */
export function billPoints(samples: readonly BillSample[], factor: number): BillPoints {
  const points: (readonly BillSample[])[] = []
  for (let i = 0; i < samples.length; i += factor) {
    const point = samples.slice(i, i + factor)
    if (point.length === factor || point.some((s) => s.inOctets > 0)) points.push(point)
  }
  const bits = (of: readonly BillSample[], octets: (s: BillSample) => number) => round2(known(rate(of, octets)))
  const inData = points.map((point) => bits(point, inOctets))
  const outData = points.map((point) => bits(point, outOctets))
  const first = samples[0]
  const last = samples.at(-1)
  const highest = (octets: (s: BillSample) => number) =>
    samples.reduce((max, sample) => Math.max(max, bits([sample], octets)), 0)
  return {
    first: first?.timeS ?? null,
    last: last?.timeS ?? null,
    in_data: inData,
    out_data: outData,
    tot_data: inData.map((value, i) => round2(value + (outData[i] ?? 0))),
    ticks: points.map((point) => point.at(-1)?.timeS ?? 0),
    ...(last !== undefined && {
      max_in: highest(inOctets),
      max_out: highest(outOctets),
      ave_in: bits(samples, inOctets),
      ave_out: bits(samples, outOctets),
      last_in: bits([last], inOctets),
      last_out: bits([last], outOctets),
    }),
  }
}

/** Bars of a bill: traffic in octets by hour or day, or figures by month. */
export interface BillBars {
  readonly graph_name: string
  readonly in_data: number[]
  readonly out_data: number[]
  readonly tot_data: number[]
  readonly allow_data: number[]
  readonly ave_data: number[]
  readonly overuse_data: number[]
  readonly ticklabels: string[]
}

/** Octets of a bar; label '' marks a day in the future. */
export interface TrafficBar {
  readonly label: string
  readonly in: number
  readonly out: number
}

/** Bars of traffic. The list of averages is one longer than the bars; the average is over bars with a label. */
export function trafficBars(name: string, bars: readonly TrafficBar[]): BillBars {
  const passed = bars.filter(({ label }) => label !== '')
  const total = passed.reduce((sum, bar) => sum + bar.in + bar.out, 0)
  const average = passed.length === 0 ? 0 : round2(total / passed.length)
  return {
    graph_name: name,
    in_data: bars.map((bar) => bar.in),
    out_data: bars.map((bar) => bar.out),
    tot_data: bars.map((bar) => bar.in + bar.out),
    allow_data: [],
    ave_data: Array.from({ length: bars.length + 1 }, () => average),
    overuse_data: [],
    ticklabels: bars.map((bar) => bar.label),
  }
}

/** Figures of a period: octets for a quota bill, bits per second for a cdr bill. */
export interface PeriodBar extends TrafficBar {
  readonly used: number
  readonly allowed: number
  readonly overuse: number
}

const MONTHS = 12

/** Twelve bars, newest period first; missing periods are 0. */
export function monthlyBars(name: string, periods: readonly PeriodBar[]): BillBars {
  const shown = periods.slice(0, MONTHS)
  const used = shown.reduce((sum, { used: one }) => sum + one, 0)
  const average = shown.length === 0 ? 0 : round2(used / shown.length)
  const column = <T>(of: (period: PeriodBar) => T, none: T): T[] =>
    Array.from({ length: MONTHS }, (_, i) => {
      const period = shown[i]
      return period === undefined ? none : of(period)
    })
  return {
    graph_name: name,
    in_data: column((p) => p.in, 0),
    out_data: column((p) => p.out, 0),
    tot_data: column((p) => p.used, 0),
    allow_data: column((p) => p.allowed, 0),
    ave_data: column(() => average, average),
    overuse_data: column((p) => p.overuse, 0),
    ticklabels: column((p) => p.label, ''),
  }
}
