import type { ContactMethod, OnCallNow, Person, Shift, StoredSchedule } from '../../core/on-call/service.ts'
import { timeOfDay } from '../../core/on-call/service.ts'
import { t } from '../elysia.ts'
import { whole } from '../integer.ts'

const Who = t.Object(
  {
    id: whole({ description: 'user_id' }),
    username: t.String(),
    name: t.String({ description: 'Real name, else username' }),
    enabled: t.Boolean({ description: 'false: the user is disabled, so that the layer beneath counts' }),
  },
  { title: 'OnCallPerson' },
)
const Nobody = t.Union([Who, t.Null()], { description: 'null: nobody' })
const Instant = (description: string) => t.Union([t.String(), t.Null()], { description })
const Local = t.String({ description: "Local time in the schedule's zone, `YYYY-MM-DD HH:MM`" })

const resource = <A extends Parameters<typeof t.Object>[0]>(type: string, attributes: A, title: string) =>
  t.Object({ type: t.Literal(type), id: t.String(), attributes: t.Object(attributes, { title }) })

const Now = resource(
  'on-call',
  {
    name: t.String({ description: 'Of the schedule' }),
    person: Nobody,
    since: Instant('RFC 3339; null: nobody, or more than 100 days ago'),
    until: Instant('RFC 3339; null: more than 100 days ahead'),
    next: t.Union([Who, t.Null()], { description: 'Who follows; null: nobody, or it is not known' }),
    reachable: t.Boolean({ description: 'false: the person has no transport, so that nobody would be told' }),
  },
  'OnCallNow',
)

/** Members of a layer that are entered as they are shown. */
const LAYER = {
  name: t.Optional(t.String()),
  unit: t.Optional(t.String({ description: 'hour, day or week (default): how turns are counted' })),
  length: t.Optional(whole({ description: 'How many of them a turn lasts; default 1' })),
  begins: Local,
  ends: t.Optional(t.Union([t.String(), t.Null()], { description: 'Local time; null: never' })),
  days: t.Optional(t.Union([t.Array(whole()), t.Null()], { description: 'Weekdays, 1 is Monday; null: every day' })),
  from: t.Optional(t.String({ description: '`HH:MM`; default 00:00' })),
  to: t.Optional(
    t.String({ description: '`HH:MM`; at or before `from`: on the next day, so equal ones mean the whole day' }),
  ),
}
const Schedule = resource(
  'on-call-schedules',
  {
    name: t.String(),
    zone: t.String({ description: 'IANA name' }),
    notes: t.String(),
    layers: t.Array(t.Object({ ...LAYER, people: t.Array(Who, { description: 'In the order of their turns' }) })),
    overrides: t.Array(
      t.Object({
        id: whole(),
        person: Who,
        from: t.String({ description: 'RFC 3339' }),
        to: t.String(),
        note: t.String(),
        made_by: t.String(),
      }),
      { description: 'Those that ended more than 100 days ago are left out' },
    ),
  },
  'OnCallSchedule',
)
const ShiftRecord = t.Object(
  {
    from: t.String({ description: 'RFC 3339' }),
    to: t.String(),
    person: Nobody,
    layer: t.Union([whole(), t.Null()], { description: 'Index of the layer; null: an override, or nobody' }),
    override: t.Union([whole(), t.Null()], { description: 'Id of the override' }),
  },
  { title: 'OnCallShift' },
)
const QUIET = t.Array(
  t.Object({
    days: t.Optional(
      t.Union([t.Array(whole()), t.Null()], {
        description: 'Weekdays on which the hours begin, 1 is Monday; null or absent: every day',
      }),
    ),
    from: t.String({ description: '`HH:MM`' }),
    to: t.String({ description: '`HH:MM`; at or before `from`: on the next day' }),
    lets: t.String({ description: 'The mildest severity that is sent then: ok, warning, critical or nothing' }),
  }),
  { description: 'Quiet hours, at most 10; where they overlap, the strictest count. null or absent: none' },
)
const CONTACT_METHOD = {
  transport_id: whole(),
  attempt: t.Optional(
    whole({ description: '1 to 9, default 1: a higher one is used when the same problem is told again' }),
  ),
  quiet: t.Optional(QUIET),
}
const PersonRecord = resource(
  'on-call-people',
  {
    name: t.String(),
    zone: t.Union([t.String(), t.Null()], { description: 'IANA name, of quiet hours; null: there are no transports' }),
    ways: t.Array(t.Object({ ...CONTACT_METHOD, transport: t.String({ description: 'Its name' }) })),
  },
  'OnCallReach',
)

const body = <A extends Parameters<typeof t.Object>[0]>(type: string, attributes: A, title: string) =>
  t.NoValidate(t.Object({ data: t.Object({ type: t.Literal(type), attributes: t.Object(attributes) }) }, { title }))
const one = (record: Parameters<typeof t.Array>[0]) => t.NoValidate(t.Object({ data: record }))
const many = (record: Parameters<typeof t.Array>[0]) => t.NoValidate(t.Object({ data: t.Array(record) }))

/** Models of the operations on on-call schedules. */
export const ON_CALL_MODELS = {
  now: many(Now),
  schedules: many(Schedule),
  schedule: one(Schedule),
  shifts: many(ShiftRecord),
  person: one(PersonRecord),
  changed: t.NoValidate(t.Object({ meta: t.Object({ changed: whole() }) })),
  added: t.NoValidate(t.Object({ meta: t.Object({ id: whole() }) })),
  scheduleBody: body(
    'on-call-schedules',
    {
      name: t.String(),
      zone: t.String({ description: 'IANA name' }),
      notes: t.Optional(t.String()),
      layers: t.Array(
        t.Object({ ...LAYER, people: t.Array(whole(), { description: 'user_ids in the order of their turns' }) }),
        { description: 'The lowest first; the highest one that has a person counts' },
      ),
    },
    'OnCallScheduleBody',
  ),
  overrideBody: body(
    'on-call-overrides',
    {
      user_id: whole(),
      from: t.String({ description: 'RFC 3339' }),
      to: t.String({ description: 'RFC 3339' }),
      note: t.Optional(t.String()),
    },
    'OnCallOverrideBody',
  ),
  personBody: body(
    'on-call-people',
    { zone: t.String({ description: 'IANA name' }), ways: t.Array(t.Object(CONTACT_METHOD)) },
    'OnCallReachBody',
  ),
}

const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

export const nowRecord = ({ schedule, person, sinceMs, untilMs, next, reachable }: OnCallNow) => ({
  type: 'on-call',
  id: String(schedule.id),
  attributes: { name: schedule.name, person, since: time(sinceMs), until: time(untilMs), next, reachable },
})

export const scheduleRecord = ({ id, name, zone, notes, layers, overrides }: StoredSchedule) => ({
  type: 'on-call-schedules',
  id: String(id),
  attributes: {
    ...{ name, zone, notes },
    layers: layers.map(({ fromMinute, toMinute, ...layer }) => ({
      ...layer,
      from: timeOfDay(fromMinute),
      to: timeOfDay(toMinute),
    })),
    overrides: overrides.map((override) => ({
      id: override.id,
      person: override.person,
      from: time(override.fromMs),
      to: time(override.toMs),
      note: override.note,
      made_by: override.madeBy,
    })),
  },
})

export const shiftRecord = ({ fromMs, toMs, person, layer, override }: Shift) => ({
  from: time(fromMs),
  to: time(toMs),
  ...{ person, layer, override },
})

export const personRecord = ({
  person,
  methods,
}: {
  readonly person: Person
  readonly methods: readonly ContactMethod[]
}) => ({
  type: 'on-call-people',
  id: String(person.id),
  attributes: {
    name: person.name,
    zone: methods[0]?.zone ?? null,
    ways: methods.map(({ transportId, transport, attempt, quiet }) => ({
      ...{ transport_id: transportId, transport, attempt },
      quiet: quiet.map(({ days, fromMinute, toMinute, lets }) => ({
        ...{ days, from: timeOfDay(fromMinute), to: timeOfDay(toMinute), lets },
      })),
    })),
  },
})
