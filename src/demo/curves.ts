import { dateAndTime, type Gauge, sawtooth, wave } from './gauge.ts'
import { hash01, seedOf } from './hash.ts'
import type { AgentType, AgentTypes, Live } from './instance.ts'
import type { Instant } from './instant.ts'
import type { Seeds } from './seeds.ts'
import { happening } from './timetable.ts'
import { type Flow, flow, isShape, reading } from './traffic.ts'

/** Parameters of a curve: `LABEL; NUMBER… NAME NUMBER…`. The label selects the seed, so equal labels move alike. */
export interface Parameters {
  readonly label: string
  readonly numbers: readonly number[]
  readonly named: Readonly<Record<string, number>>
}

/** A value as a function of time; counters are bigint. Null: the instance does not exist at that time. */
export type Motion = (t: Instant) => AgentTypes[AgentType] | null

export type CurveMaker = (parameters: Parameters, own: Seeds) => Motion

/** By what a value of a recording can move. The parameters are in docs/how-to/add-a-demo-device.md. */
export const CURVES: Readonly<Record<string, CurveMaker>> = {
  /** `LABEL; MEAN day AMPLITUDE peak HOUR noise AMPLITUDE every SECONDS min MIN max MAX job MORE_WHILE_THE_JOB_RUNS` */
  wave: waveOf,
  /** `LABEL; FROM TO SECONDS` */
  saw: ({ label, numbers: [from = 0, to = 0, periodS = 1] }, own) => sawtooth(own(label), from, to, periodS),
  /** Octets of a flow: `LABEL; SHAPE BITS_PER_SECOND OCTETS_PER_PACKET`; `from N`: since the epoch, beginning with N. */
  octets: (parameters, own) => {
    const { octets } = flowOf(parameters, own)
    const { from } = parameters.named
    if (from === undefined) return (t) => reading(octets, t.s, t.bootS)
    return (t) => BigInt(from) + reading(octets, t.s, 0)
  },
  /** Packets of the same flow. */
  packets: (parameters, own) => {
    const { unicast } = flowOf(parameters, own)
    return (t) => reading(unicast, t.s, t.bootS)
  },
  /** Events since the start: the sum of these numbers per minute, each rounded down. */
  elapsed: ({ numbers }) => {
    return (t) => {
      const seconds = Math.floor(t.s - t.bootS)
      return numbers.reduce((sum, perMinute) => sum + Math.floor((seconds * perMinute) / 60), 0)
    }
  },
  /** `LABEL; SECONDS NUMBER…`: each number for so long, in turn; -1: the instance does not exist then. */
  turns: ({ label, numbers: [stepS = 1, ...values] }) => {
    const phase = hash01(seedOf(label), 0) * values.length
    return (t) => {
      const value = values[Math.floor(t.s / stepS + phase) % values.length] ?? -1
      return value < 0 ? null : value
    }
  },
  /** sysUpTime. */
  uptime: () => (t) => t.ticks,
  /** DateAndTime. */
  date: () => dateAndTime,
}

/** Names of parameters, besides the shapes of traffic. */
const NAMES = new Set('day peak noise every min max from chatter job times per of dBm digits'.split(' '))

/** Throws RangeError for an unknown name and for one without a number. */
export function parameters(text: string): Parameters {
  const [label = '', rest = ''] = text.split(';', 2)
  const numbers: number[] = []
  const named: Record<string, number> = {}
  let name: string | null = null
  for (const token of rest.split(' ')) {
    if (token === '') continue
    const value = Number(token)
    if (Number.isNaN(value)) {
      if (name !== null) throw new RangeError(`${name} has no number in ${text}`)
      if (!NAMES.has(token) && !isShape(token)) throw new RangeError(`no parameter ${token} in ${text}`)
      name = token
    } else if (name === null) numbers.push(value)
    else {
      named[name] = value
      name = null
    }
  }
  if (name !== null) throw new RangeError(`${name} has no number in ${text}`)
  return { label, numbers, named }
}

export function waveOf({ label, numbers: [mean = 0], named }: Parameters, own: Seeds): Gauge {
  const { day, peak, noise, every, min, max, job } = named
  if (job !== undefined) {
    const pauses = happening('job', own)
    const { job: _, ...rest } = named
    const before = waveOf({ label, numbers: [mean], named: rest }, own)
    return (t) => before(t) + (pauses.isOn(t.s) ? 0 : job)
  }
  return wave(own(label), {
    mean,
    ...(day !== undefined && { day }),
    ...(peak !== undefined && { peakHour: peak }),
    ...(noise !== undefined && { noise }),
    ...(every !== undefined && { noiseS: every }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  })
}

/** Traffic in one direction: `LABEL; SHAPE BITS_PER_SECOND OCTETS_PER_PACKET chatter PACKETS_PER_SECOND job BITS_PER_SECOND`. */
export function flowOf({ label, numbers: [packetOctets = 1], named }: Parameters, own: Seeds): Flow {
  const shape = Object.keys(named).find(isShape)
  if (shape === undefined) throw new RangeError(`the traffic of ${label} has no shape`)
  const { chatter, job } = named
  return flow(own(label), {
    ...{ meanBps: named[shape] ?? 0, shape, packetOctets },
    ...(chatter !== undefined && { chatterPps: chatter }),
    ...(job !== undefined && { job: { bps: job, pauses: happening('job', own) } }),
  })
}

/**
 * A moving value of this type. Numbers are first limited (`max N`), then converted: `dBm N` from dBm to N-ths of a
 * milliwatt, `times N`, `per N`, `of N` (what is left of N), and in texts rounded to `digits N`.
 */
export function moving(make: CurveMaker, given: Parameters, type: AgentType, own: Seeds): Live<AgentTypes[AgentType]> {
  const motion = make(given, own)
  const { max, dBm, times = 1, per = 1, of, digits = 0 } = given.named
  const converted = (raw: number): number => {
    const limited = max === undefined ? raw : Math.min(max, raw)
    const scaled = ((dBm === undefined ? limited : dBm * 10 ** (limited / 10)) * times) / per
    return of === undefined ? scaled : of - Math.round(scaled)
  }
  return (t) => {
    const raw = motion(t)
    if (typeof raw !== 'number') return raw
    const value = converted(raw)
    if (type === 'Text') return value.toFixed(digits)
    return type === 'Counter32' || type === 'Counter64' ? BigInt(Math.round(value)) : value
  }
}
