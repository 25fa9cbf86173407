import {
  MAX_SEGMENTS,
  MAX_STEP,
  MAX_TARGETS,
  type Operation,
  PHASES,
  parseTarget,
  type Segment,
} from '../../../core/alerts/operations/operation.ts'
import type { ShownOperation } from '../../../core/alerts/operations/service.ts'
import { invalid } from '../../../core/base/errors.ts'
import type { Form } from '../../page.ts'
import { secondsOf, shortDuration } from '../alert-rules/durations.ts'

/** A segment as its form shows it: text as users enter it. */
export interface SegmentFields {
  readonly phase: string
  readonly from: string
  /** '': no end. */
  readonly to: string
  readonly start: string
  /** '': that of the operation. */
  readonly duration: string
  /** As API v0 writes them: `3`, `g2`, `s4`. */
  readonly targets: ReadonlySet<string>
}

export interface OperationFields {
  readonly name: string
  /** '': that of the setting. */
  readonly duration: string
  readonly suppressed: boolean
  readonly segments: readonly SegmentFields[]
}

const NEW_SEGMENT: SegmentFields = {
  phase: 'problem',
  from: '1',
  to: '1',
  start: '0',
  duration: '',
  targets: new Set(),
}
export const EMPTY: OperationFields = { name: '', duration: '', suppressed: false, segments: [NEW_SEGMENT] }

export function ofStored({ name, stepDurationS, suppressed, segments }: ShownOperation): OperationFields {
  return {
    name,
    duration: stepDurationS === null ? '' : shortDuration(stepDurationS),
    suppressed,
    segments: segments.map((one) => ({
      phase: one.phase,
      from: String(one.from),
      to: one.to === null ? '' : String(one.to),
      start: shortDuration(one.startS),
      duration: one.durationS === 0 ? '' : shortDuration(one.durationS),
      targets: new Set(one.targets.map(({ text }) => text)),
    })),
  }
}

/** The form as it was sent, without segments that are to be removed. */
export function ofForm(form: Form): OperationFields {
  const text = (name: string) => (form.get(name) ?? '').trim()
  const places = Array.from({ length: MAX_SEGMENTS + 1 }, (_, i) => i).filter(
    (i) => form.has(`from-${i}`) && form.get(`remove-${i}`) !== '1',
  )
  return {
    name: text('name'),
    duration: text('duration'),
    suppressed: form.get('suppressed') === '1',
    segments: places.map((i) => ({
      phase: text(`phase-${i}`),
      from: text(`from-${i}`),
      to: text(`to-${i}`),
      start: text(`start-${i}`),
      duration: text(`duration-${i}`),
      targets: new Set(
        [...form.keys()].flatMap((name) => {
          const [, place, target] = /^to-(\d{1,3})-([gs]?\d{1,10})$/.exec(name) ?? []
          return place === String(i) && target !== undefined && form.get(name) === '1' ? [target] : []
        }),
      ),
    })),
  }
}

/** The fields with one more segment, which goes on after the last one. */
export function withAnother(fields: OperationFields): OperationFields {
  if (fields.segments.length >= MAX_SEGMENTS) return fields
  const last = fields.segments.findLast(({ phase }) => phase === 'problem')
  const next = last === undefined || last.to === '' ? 1 : Math.min(MAX_STEP, (Number(last.to) || 0) + 1)
  return { ...fields, segments: [...fields.segments, { ...NEW_SEGMENT, from: String(next), to: '' }] }
}

/** The operation in a form. Throws `invalid` with the segment that is wrong. */
export function wantedOf({ name, duration, suppressed, segments }: OperationFields): Operation {
  const step = secondsOf('Step duration', duration)
  return {
    name,
    stepDurationS: step === 0 ? null : step,
    suppressed,
    segments: segments.map((one, i) => segmentOf(one, i + 1)),
  }
}

function segmentOf({ phase, from, to, start, duration, targets }: SegmentFields, nth: number): Segment {
  const known = PHASES.find((one) => one === phase)
  if (known === undefined) throw invalid(`Segment ${nth}: choose when it notifies`)
  if (targets.size === 0) throw invalid(`Segment ${nth}: tick whom it notifies, or remove it`)
  if (targets.size > MAX_TARGETS) throw invalid(`Segment ${nth}: tick at most ${MAX_TARGETS}, or use a transport group`)
  return {
    phase: known,
    from: stepOf(from === '' ? '1' : from, nth),
    to: to === '' ? null : stepOf(to, nth),
    startS: secondsOf(`Segment ${nth}, starts after`, start),
    durationS: secondsOf(`Segment ${nth}, every`, duration),
    targets: [...targets].flatMap((text) => parseTarget(text) ?? []),
  }
}

function stepOf(text: string, nth: number): number {
  if (!/^\d{1,6}$/.test(text)) throw invalid(`Segment ${nth}: steps are whole numbers from 1; empty for no end`)
  return Number(text)
}
