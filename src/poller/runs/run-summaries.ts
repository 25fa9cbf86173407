import type { SnmpFailure } from '@portlight/snmp/failure.ts'
import type { RunSummary } from '../../core/base/gateway.ts'

/** Summary of a run that did not take place. */
export const failedRun = (failure: SnmpFailure): RunSummary => ({
  outcome: 'failed',
  tookMs: 0,
  failure,
  modules: [],
})

/** The run was lost with its worker, or the device is no longer polled here. */
export const LOST_RUN = failedRun({ kind: 'lost' })

export const SNMP_OFF_RUN = failedRun({
  kind: 'invalid',
  message: 'the device is disabled, or SNMP is off for it',
})
