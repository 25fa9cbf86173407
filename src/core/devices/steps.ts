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

/** Receives each step when it has ended. */
export type Report = (step: AddStep) => void

/** Runs `work` and reports it with the description that `outcome` returns. Rethrows errors. */
export async function step<T>(
  report: Report | undefined,
  what: string,
  work: () => Promise<T>,
  outcome: (value: T) => Pick<AddStep, 'result' | 'state'>,
): Promise<T> {
  const before = performance.now()
  const value = await work()
  report?.({ what, ...outcome(value), tookMs: performance.now() - before })
  return value
}

/** A duration in milliseconds as text: `0.4 ms`, `18 ms`, `3.0 s`. */
export function millis(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`
  return ms >= 10 ? `${Math.round(ms)} ms` : `${ms.toFixed(1)} ms`
}
