import type { Caller, Failure } from './call.ts'
import { sendOnce } from './get.ts'
import { compareOid, encodeOid } from './oid.ts'
import { PDU, type PduView } from './pdu.ts'
import type { AgentProfile, BulkRefusal } from './profile.ts'

/** `works`; or what the agent does instead, so that it is read with GETNEXT. null: not known. */
export type BulkState = 'works' | BulkRefusal | null

export function bulkState({ bulkWorks, bulkRefused }: AgentProfile): BulkState {
  return bulkRefused ?? (bulkWorks ? 'works' : null)
}

/** Times that GETNEXT had to help out before GETBULK is no longer sent to an agent that has answered it before. */
const MAX_BULK_FAILURES = 3

/** True if tables of this agent are read with GETBULK; false: with GETNEXT. */
export function usesBulk({ target, profile }: Pick<Caller, 'target' | 'profile'>): boolean {
  return target.snmpver !== 'v1' && profile.quirks.bulk && profile.bulkRefused === null
}

/** Records a GETBULK that was answered with objects. */
export function bulkWorked(profile: AgentProfile): void {
  profile.bulkWorks = true
  profile.bulkFailures = 0
  profile.nextSilent = false
}

/** Records that GETNEXT read what GETBULK did not. */
export function bulkFailed(profile: AgentProfile, refusal: BulkRefusal): void {
  profile.nextSilent = false
  profile.bulkFailures++
  if (!profile.bulkWorks || profile.bulkFailures >= MAX_BULK_FAILURES) profile.bulkRefused = refusal
}

/**
 * True if GETNEXT may read what a GETBULK without a response did not: the agent is alive as far as anyone knows, or
 * has never answered GETBULK.
 */
export function mayBeBulk({ profile, stats }: Caller, failure: Failure): boolean {
  return failure.kind === 'timeout' && !profile.nextSilent && (!profile.bulkWorks || stats.responses > 0)
}

/** True if none of the varbinds from `first` on has a value, as in the responses of agents without GETBULK. */
export function isEmpty(pdu: PduView, first: number): boolean {
  for (let i = first; i < pdu.count; i++) if (!pdu.absent(i)) return false
  return true
}

const SYSTEM = encodeOid('1.3.6.1.2.1.1')

/** Sends one GETBULK to an agent that refused it; if it is answered with objects, GETBULK is used again. */
export async function retryBulk(session: Caller): Promise<void> {
  const { profile } = session
  if (profile.bulkRefused === null) return
  const answer = await sendOnce(session, {
    type: PDU.GetBulkRequest,
    nonRepeaters: 0,
    maxRepetitions: () => 2,
    varbinds: (writer) => writer.requestVarbind(SYSTEM, -1),
  })
  if (answer.kind !== 'answer' || answer.varbinds.length !== 2) return
  let from = SYSTEM
  for (const { oid, value } of answer.varbinds) {
    const next = encodeOid(oid)
    if (value.kind === 'endOfMibView' || compareOid(next, 0, next.length, from, 0, from.length) <= 0) return
    from = next
  }
  profile.bulkRefused = null
  bulkWorked(profile)
}

/** The refusal in words. */
export function bulkRefusalText(refusal: BulkRefusal): string {
  switch (refusal) {
    case 'timeout':
      return 'it is not answered'
    case 'empty':
      return 'the response has no objects'
    default:
      return `the agent answers ${refusal}`
  }
}
