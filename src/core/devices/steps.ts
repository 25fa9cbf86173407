/** A step tried while a device was added. Contains no secret. */
export interface AddStep {
  /** For example `Ping` or `SNMP v2c with community no. 1 of setting snmp.community`. */
  readonly what: string
  /** Description of the result. */
  readonly result: string
  /** `no`: no answer, or not usable. */
  readonly state: 'ok' | 'no' | 'skipped'
  readonly tookMs: number
}

/** A step that begins. Contains no secret. */
export interface AddStart {
  /** As in AddStep. */
  readonly what: string
  /** Which of several tries of its kind it is, from 1, and of how many; absent: it is the only one. */
  readonly place?: { readonly number: number; readonly of: number }
  /** Seconds that it takes at most if nothing answers; absent: unknown. */
  readonly upToS?: number
}

/** Receives each step when it begins and when it has ended. Throws nothing. */
export interface Report {
  begins?(start: AddStart): void
  ended(step: AddStep): void
}

/** Runs `work` and reports it with the description that `outcome` returns. Rethrows errors. */
export async function step<T>(
  report: Report | undefined,
  start: string | AddStart,
  work: () => Promise<T>,
  outcome: (value: T) => Pick<AddStep, 'result' | 'state'>,
): Promise<T> {
  const begun = typeof start === 'string' ? { what: start } : start
  report?.begins?.(begun)
  const before = performance.now()
  const value = await work()
  report?.ended({ what: begun.what, ...outcome(value), tookMs: performance.now() - before })
  return value
}

/** `SNMP v2c with community no. 1 of setting snmp.community (2 of 3), up to 6 s` */
export function startText({ what, place, upToS }: AddStart): string {
  const where = place === undefined || place.of < 2 ? '' : ` (${place.number} of ${place.of})`
  return `${what}${where}${upToS === undefined ? '' : `, up to ${Math.ceil(upToS)} s`}`
}

/** A duration in milliseconds as text: `0.4 ms`, `18 ms`, `3.0 s`. */
export function millis(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
}
