import {
  MAX_SEGMENTS,
  MAX_TARGETS,
  PHASES,
  parseTarget,
  type Segment,
} from '../../../core/alerts/operations/operation.ts'
import type { RuleNotify } from '../../../core/alerts/rules/notify.ts'
import { invalid } from '../../../core/base/errors.ts'
import { members } from '../../body.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * Who is notified of a rule's alerts, from members alert_operation_id and operations of add_rule and edit_rule. Answers
 * have both, requests only one of them; null beside a list is a rule that was read and is sent back, and stays as it is.
 */
export function notifyOf(body: Body): RuleNotify {
  const { alert_operation_id: id, operations } = body
  if (id === null) return operations === undefined || operations === null ? { kind: 'nobody' } : { kind: 'keep' }
  if (id !== undefined && id !== '') {
    const target = typeof id === 'boolean' ? null : parseTarget(id)
    if (target === null || target.type !== 'single') throw invalid(`Invalid alert_operation_id: ${shown(id)}`)
    return { kind: 'operation', id: target.id }
  }
  if (operations === undefined || operations === null) return { kind: 'keep' }
  if (!Array.isArray(operations)) throw invalid('Invalid operations: expected a list of segments')
  if (operations.length > MAX_SEGMENTS)
    throw invalid(`Invalid operations: ${operations.length} segments, at most ${MAX_SEGMENTS} are allowed`)
  const given = operations.map((one: unknown, i) => ({ body: members(one), place: i }))
  if (given.length === 0) return { kind: 'keep' }
  const segments = given
    .map((one) => ({ segment: segmentOf(one.body, one.place + 1), place: placeOf(one.body, one.place) }))
    .toSorted((a, b) => a.place - b.place)
  return { kind: 'own', segments: segments.map(({ segment }) => segment) }
}

/** A segment; numbers that are none become NaN, which no segment may have. */
function segmentOf(body: Body, nth: number): Segment {
  const phase = body['operation_phase'] ?? 'problem'
  const known = PHASES.find((one) => one === phase)
  if (known === undefined)
    throw invalid(`Invalid operations: segment ${nth} has phase ${shown(phase)}, expected ${PHASES.join(', ')}`)
  const transports = body['transports']
  if (!Array.isArray(transports) || transports.length === 0)
    throw invalid(`Invalid operations: segment ${nth} has no transports`)
  if (transports.length > MAX_TARGETS)
    throw invalid(`Invalid operations: segment ${nth} has ${transports.length} transports, at most ${MAX_TARGETS}`)
  const to = body['escalation_step_to'] ?? null
  return {
    phase: known,
    from: number(body['escalation_step_from'], 1),
    to: to === null || to === '' ? null : number(to, 1),
    startS: number(body['start_in_seconds'], 0),
    durationS: number(body['step_duration_seconds'], 0),
    targets: transports.map((one: unknown) => {
      const id = typeof one === 'object' && one !== null ? members(one)['id'] : one
      const target = parseTarget(id)
      if (target === null)
        throw invalid(`Invalid operations: segment ${nth} has transport ${shown(id)}, expected ids as in 3 or g2`)
      return target
    }),
  }
}

/** Segments without a usable position stay where they are in the list. */
function placeOf(body: Body, place: number): number {
  const position = number(body['position'], place)
  return Number.isFinite(position) ? position : place
}

function number(value: unknown, absent: number): number {
  if (value === undefined || value === null || value === '') return absent
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
}

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 100) ?? ''
