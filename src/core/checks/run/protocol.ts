import type { SnmpTarget } from '@portlight/snmp/target.ts'
import type { CheckPlan } from '../plan.ts'
import type { CheckResult } from './result.ts'

/** One check to run. */
export interface CheckJob {
  readonly plan: CheckPlan
  /** Time limit of the check, ms. */
  readonly timeoutMs: number
  /** The device's SNMP agent, its address not yet resolved; null: not needed. */
  readonly agent: SnmpTarget | null
}

export type ToCheckWorker =
  | { readonly kind: 'check'; readonly id: number; readonly job: CheckJob }
  | { readonly kind: 'stop' }

export type FromCheckWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'checked'; readonly id: number; readonly result: CheckResult; readonly tookMs: number }
  | { readonly kind: 'stopped' }
