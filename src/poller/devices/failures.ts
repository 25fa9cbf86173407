import { isAnswer, type SnmpFailure } from '@portlight/snmp/failure.ts'

/** Current failure of a device, and the number of complete polls in a row since then. */
export interface FailureState {
  readonly failure: SnmpFailure | null
  readonly cleanPolls: number
}

/**
 * Complete polls in a row after which an agent's error is considered over, because some agents fail only now and then.
 */
const CLEAN_POLLS = 3

/**
 * A device's failure after a poll that the agent answered; `failure` is that of the poll. A response ends timeouts and
 * refusals. Errors stay until several polls were complete; a lost request changes nothing, as it does not depend on the
 * agent.
 */
export function afterPoll(before: FailureState, failure: SnmpFailure | null): FailureState {
  if (failure !== null && (isAnswer(failure) || failure.kind === 'refused')) return { failure, cleanPolls: 0 }
  if (before.failure === null || !isAnswer(before.failure)) return { failure: null, cleanPolls: 0 }
  if (failure !== null) return before
  const cleanPolls = before.cleanPolls + 1
  return cleanPolls >= CLEAN_POLLS ? { failure: null, cleanPolls: 0 } : { failure: before.failure, cleanPolls }
}

/** A device's failure after a discovery that the agent answered; only polls decide whether errors are over. */
export function afterDiscovery({ failure, cleanPolls }: FailureState): FailureState {
  return failure !== null && isAnswer(failure) ? { failure, cleanPolls } : { failure: null, cleanPolls: 0 }
}
