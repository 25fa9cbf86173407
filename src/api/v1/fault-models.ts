import {
  FAULT_BOUNDS,
  FAULT_STATES,
  type Fault,
  type HistoryEntry,
  UNTIL_CLEAR,
} from '../../core/alerts/faults/fault.ts'
import { FAULT_KINDS } from '../../core/alerts/faults/subject.ts'
import { t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { Text, Whole } from '../nullable.ts'

export const FAULT_TYPE = 'faults'

const Time = (description: string) => t.Union([t.String(), t.Null()], { description })
const Row = t.Union([t.Record(t.String(), t.Unknown()), t.Null()], {
  description: 'The row that the rule matched, without secrets; null: not known',
})

const Attributes = t.Object(
  {
    state: t.String({ description: FAULT_STATES.join(', ') }),
    severity: t.String({ description: 'ok, warning or critical' }),
    message: t.String({ description: 'What is wrong, in a sentence' }),
    device_id: whole(),
    hostname: t.String(),
    device: t.String({ description: 'Its display name; an address after its sysName: `ups-1 (10.0.0.7)`' }),
    rule_id: whole(),
    rule: t.String({ description: 'Name of the rule' }),
    alert_id: whole({ description: 'The alert of the rule on the device, which has all its faults' }),
    kind: t.Union([t.String(), t.Null()], {
      description: `What it is about: ${FAULT_KINDS.join(', ')}; null: the device itself`,
    }),
    subject_id: t.Union([whole(), t.Null()], { description: 'Its id, for example the port_id; null: not known' }),
    key: t.String({ description: 'What identifies the thing for the rule; the same if it fails again' }),
    began_at: t.String({ description: 'RFC 3339' }),
    ended_at: Time('null: it is not over'),
    ended_how: t.Union([t.String(), t.Null()], {
      description: 'recovered: the rule no longer finds it; gone: the rule no longer applies to the device',
    }),
    acknowledgement: t.Union([
      t.Object({
        by: Text,
        at: t.String(),
        note: t.String(),
        until: t.String({ description: 'clear: until it is over; worse: until the alert gets worse; or a time' }),
      }),
      t.Null(),
    ]),
    muted_until: Time('A time, or clear: until it is over; null: it is not muted'),
    assigned_to: t.Union([t.Object({ user_id: whole(), username: t.String() }), t.Null()]),
    told_at: Time('When receivers were told; null: they were not'),
    recovery_told_at: Time('When receivers were told that it is over; null: they were not'),
    row_began: t.Optional(Row),
    row_now: t.Optional(Row),
  },
  { title: 'Fault' },
)
const Record = t.Object(
  { type: t.Literal(FAULT_TYPE), id: t.String(), attributes: Attributes },
  { title: 'FaultRecord' },
)

const Note = t.Optional(t.String({ description: `At most ${FAULT_BOUNDS.note} characters` }))
const body = <A extends Parameters<typeof t.Object>[0]>(attributes: A, title: string) =>
  t.NoValidate(
    t.Object(
      { data: t.Object({ type: t.Literal(FAULT_TYPE), attributes: t.Object(attributes) }) },
      {
        title,
        description: 'The attributes may also be the members of the body itself.',
      },
    ),
  )

/** Models of the operations on faults. */
export const FAULT_MODELS = {
  one: t.NoValidate(t.Object({ data: Record })),
  many: t.NoValidate(
    t.Object({ data: t.Array(Record), meta: t.Object({ total: whole(), limit: whole(), offset: whole() }) }),
  ),
  history: t.NoValidate(
    t.Object({
      data: t.Array(
        t.Object(
          {
            at: t.String({ description: 'RFC 3339' }),
            what: t.String(),
            by: t.Union([t.String(), t.Null()], { description: 'null: the program' }),
            note: t.String(),
          },
          { title: 'FaultEntry' },
        ),
      ),
    }),
  ),
  acknowledge: body(
    {
      note: Note,
      until: t.Optional(
        t.String({
          description:
            'clear (default): until it is over; worse: until the alert has more faults or its rule is more severe; or a time, RFC 3339',
        }),
      ),
    },
    'FaultAcknowledgement',
  ),
  noted: body({ note: Note }, 'FaultNote'),
  assign: body({ user_id: t.Union([Whole], { description: 'null: nobody' }), note: Note }, 'FaultAssignment'),
  mute: body(
    {
      until: t.Union([t.String(), t.Null()], {
        description: 'clear: until it is over; a time, RFC 3339: also if it fails again before; null: no longer',
      }),
      note: Note,
    },
    'FaultMute',
  ),
}

const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null

/** A fault for clients. `rows`: with the rows that were matched. */
export function faultRecord(fault: Fault, { rows }: { readonly rows: boolean }) {
  const { id, state, began_at, ended_at, acknowledgement, muted_until, told_at, recovery_told_at, ...rest } = fault
  const { row_began, row_now, ...shown } = rest
  return {
    type: FAULT_TYPE,
    id: String(id),
    attributes: {
      ...shown,
      state: FAULT_STATES[state],
      began_at: began_at.toISOString(),
      ended_at: timeOf(ended_at),
      acknowledgement:
        acknowledgement === null
          ? null
          : {
              by: acknowledgement.by,
              at: acknowledgement.at.toISOString(),
              note: acknowledgement.note,
              until: timeOf(acknowledgement.untilAt) ?? acknowledgement.until,
            },
      muted_until: muted_until?.getTime() === UNTIL_CLEAR.getTime() ? 'clear' : timeOf(muted_until),
      told_at: timeOf(told_at),
      recovery_told_at: timeOf(recovery_told_at),
      ...(rows && { row_began, row_now }),
    },
  }
}

export const entryRecord = ({ at, what, by, note }: HistoryEntry) => ({ at: at.toISOString(), what, by, note })
