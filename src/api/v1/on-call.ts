import { invalid } from '../../core/base/errors.ts'
import { isId } from '../../core/base/ids.ts'
import type { ContactMethodDraft, LayerDraft, QuietDraft, ScheduleDraft } from '../../core/on-call/service.ts'
import type { Services } from '../../core/services.ts'
import { members } from '../body.ts'
import { Elysia, t } from '../elysia.ts'
import { bearerPlugin } from '../token.ts'
import { type Change, v1Change, v1Parse } from './change.ts'
import { idOf, textOf } from './given.ts'
import { described, ErrorList, IdPath, REFUSALS, WRITE_REFUSALS } from './model.ts'
import { nowRecord, ON_CALL_MODELS, personRecord, scheduleRecord, shiftRecord } from './on-call-models.ts'
import { type Run, v1Run } from './run.ts'

const OverridePath = t.NoValidate(t.Object({ id: t.String(), override: t.String() }))
const Range = t.NoValidate(
  t.Object({
    from: t.Optional(t.String({ description: 'RFC 3339 or epoch seconds; default: now' })),
    to: t.Optional(t.String({ description: 'At most 100 days later; default: 14 days' })),
  }),
)
const DAY_MS = 86_400_000
/** The most layers, people of a layer and contact methods that are read from a body; the service accepts fewer. */
const MAX_ITEMS = 100

type Given = Readonly<Record<string, unknown>>
type OnCall = Services['onCall']

/** Schedules of people on call. These operations are our own; LibreNMS has none like them. */
export const onCallRoutes = (services: Pick<Services, 'auth' | 'sessions' | 'onCall' | 'config' | 'log'>) => {
  const { onCall } = services
  const run = v1Run(services)
  const change = v1Change(services, run)

  return new Elysia({ name: 'v1.on-call' })
    .use(bearerPlugin())
    .onParse(v1Parse(services))
    .use(readingRoutes(onCall, run))
    .use(scheduleRoutes(onCall, run, change))
    .use(overrideRoutes(onCall, run, change))
}

function readingRoutes(onCall: OnCall, run: Run) {
  const gate = 'Alert.viewAny'
  return new Elysia({ name: 'v1.on-call-reading' })
    .use(bearerPlugin())
    .get(
      '/on-call',
      (asked) => run('v1_on_call', asked, async (actor) => ({ data: (await onCall.now(actor)).map(nowRecord) })),
      {
        response: { 200: ON_CALL_MODELS.now, ...REFUSALS },
        detail: described('v1_on_call', 'Who is on call now, in each schedule', gate),
      },
    )
    .get(
      '/on-call/schedules',
      (asked) =>
        run('v1_on_call_schedules', asked, async (actor) => ({
          data: (await onCall.list(actor)).map(scheduleRecord),
        })),
      {
        response: { 200: ON_CALL_MODELS.schedules, ...REFUSALS },
        detail: described('v1_on_call_schedules', 'Schedules of people on call, by name', gate),
      },
    )
    .get(
      '/on-call/schedules/:id',
      (asked) =>
        run('v1_on_call_schedule', asked, async (actor) => ({
          data: scheduleRecord(await onCall.get(actor, idOf(asked.params.id))),
        })),
      {
        params: IdPath,
        response: { 200: ON_CALL_MODELS.schedule, ...REFUSALS },
        detail: described('v1_on_call_schedule', 'A schedule with its layers and overrides', gate),
      },
    )
    .get(
      '/on-call/schedules/:id/shifts',
      (asked) =>
        run('v1_on_call_shifts', asked, async (actor) => {
          const fromMs = timeOf('from', asked.query['from'] ?? '') ?? Date.now()
          const toMs = timeOf('to', asked.query['to'] ?? '') ?? fromMs + 14 * DAY_MS
          return { data: (await onCall.shifts(actor, idOf(asked.params.id), fromMs, toMs)).map(shiftRecord) }
        }),
      {
        params: IdPath,
        query: Range,
        response: { 200: ON_CALL_MODELS.shifts, ...REFUSALS },
        detail: described('v1_on_call_shifts', 'Who is on call when, and when nobody is', gate),
      },
    )
    .get(
      '/on-call/people/:id',
      (asked) =>
        run('v1_on_call_person', asked, async (actor) => ({
          data: personRecord(await onCall.contactMethods(actor, idOf(asked.params.id))),
        })),
      {
        params: IdPath,
        response: { 200: ON_CALL_MODELS.person, ...REFUSALS },
        detail: described('v1_on_call_person', 'By which transports a user is reached', 'the user, or role admin'),
      },
    )
}

function scheduleRoutes(onCall: OnCall, run: Run, change: Change) {
  const type = 'on-call-schedules'
  const gate = 'role admin'
  return new Elysia({ name: 'v1.on-call-schedules' })
    .use(bearerPlugin())
    .post(
      '/on-call/schedules',
      (asked) =>
        change('v1_on_call_schedule_add', type, asked, async (actor, given) => {
          const id = await onCall.add(actor, draftOf(given))
          return { data: scheduleRecord(await onCall.get(actor, id)) }
        }),
      {
        body: ON_CALL_MODELS.scheduleBody,
        response: { 200: ON_CALL_MODELS.schedule, 409: ErrorList, ...WRITE_REFUSALS },
        detail: described('v1_on_call_schedule_add', 'Adds a schedule', gate),
      },
    )
    .put(
      '/on-call/schedules/:id',
      (asked) =>
        change('v1_on_call_schedule_change', type, asked, async (actor, given) => {
          const id = idOf(asked.params.id)
          await onCall.change(actor, id, draftOf(given))
          return { data: scheduleRecord(await onCall.get(actor, id)) }
        }),
      {
        params: IdPath,
        body: ON_CALL_MODELS.scheduleBody,
        response: { 200: ON_CALL_MODELS.schedule, 409: ErrorList, ...WRITE_REFUSALS },
        detail: described('v1_on_call_schedule_change', 'Replaces a schedule; its overrides stay', gate),
      },
    )
    .delete(
      '/on-call/schedules/:id',
      (asked) =>
        run('v1_on_call_schedule_delete', asked, async (actor) => {
          await onCall.remove(actor, idOf(asked.params.id))
          return { meta: { changed: 1 } }
        }),
      {
        params: IdPath,
        response: { 200: ON_CALL_MODELS.changed, ...REFUSALS },
        detail: described('v1_on_call_schedule_delete', 'Deletes a schedule with its overrides', gate),
      },
    )
    .put(
      '/on-call/people/:id',
      (asked) =>
        change('v1_on_call_person_change', 'on-call-people', asked, async (actor, given) => {
          const id = idOf(asked.params.id)
          await onCall.setContactMethods(actor, id, textOf(given, 'zone') ?? '', contactMethodsOf(given['ways']))
          return { data: personRecord(await onCall.contactMethods(actor, id)) }
        }),
      {
        params: IdPath,
        body: ON_CALL_MODELS.personBody,
        response: { 200: ON_CALL_MODELS.person, ...WRITE_REFUSALS },
        detail: described(
          'v1_on_call_person_change',
          'Replaces by which transports a user is reached; users take no other transports than those they have',
          'the user, or role admin',
        ),
      },
    )
}

function overrideRoutes(onCall: OnCall, run: Run, change: Change) {
  const gate = 'people of the schedule, or role admin'
  return new Elysia({ name: 'v1.on-call-overrides' })
    .use(bearerPlugin())
    .post(
      '/on-call/schedules/:id/overrides',
      (asked) =>
        change('v1_on_call_override_add', 'on-call-overrides', asked, async (actor, given) => {
          const { user_id: userId } = given
          if (!isId(userId)) throw invalid("'user_id' is not an id")
          const [fromMs, toMs] = (['from', 'to'] as const).map((name) => timeOf(name, textOf(given, name) ?? ''))
          const times = { fromMs: fromMs ?? Number.NaN, toMs: toMs ?? Number.NaN }
          const note = textOf(given, 'note') ?? ''
          return { meta: { id: await onCall.override(actor, idOf(asked.params.id), { userId, ...times, note }) } }
        }),
      {
        params: IdPath,
        body: ON_CALL_MODELS.overrideBody,
        response: { 200: ON_CALL_MODELS.added, ...WRITE_REFUSALS },
        detail: described('v1_on_call_override_add', 'Puts a person on call instead of whose turn it is', gate),
      },
    )
    .delete(
      '/on-call/schedules/:id/overrides/:override',
      (asked) =>
        run('v1_on_call_override_delete', asked, async (actor) => {
          await onCall.removeOverride(actor, idOf(asked.params.id), idOf(asked.params.override))
          return { meta: { changed: 1 } }
        }),
      {
        params: OverridePath,
        response: { 200: ON_CALL_MODELS.changed, ...REFUSALS },
        detail: described('v1_on_call_override_delete', 'Deletes an override', gate),
      },
    )
}

/** A time, epoch ms; null: absent. Throws `invalid` for others. */
function timeOf(name: string, text: string): number | null {
  if (text === '') return null
  const ms = /^\d{1,11}$/.test(text)
    ? Number(text) * 1000
    : /^\d{4}-\d\d-\d\dT/.test(text)
      ? Date.parse(text)
      : Number.NaN
  if (!Number.isFinite(ms))
    throw invalid(`'${name}' is neither RFC 3339, such as 2026-01-31T12:00:00Z, nor epoch seconds`)
  return ms
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalid(`'${name}' is not a list`)
  if (value.length > MAX_ITEMS) throw invalid(`'${name}' has ${value.length} items; the most is ${MAX_ITEMS}`)
  return value
}

function numbersOf(value: unknown, name: string): number[] {
  return listOf(value, name).map((one) => {
    if (typeof one !== 'number') throw invalid(`'${name}' has an item that is not a number`)
    return one
  })
}

function numberOf(given: Given, name: string, preset: number): number {
  const { [name]: value } = given
  if (value === undefined) return preset
  if (typeof value !== 'number') throw invalid(`'${name}' is not a number`)
  return value
}

function draftOf(given: Given): ScheduleDraft {
  return {
    name: textOf(given, 'name') ?? '',
    zone: textOf(given, 'zone') ?? '',
    notes: textOf(given, 'notes') ?? '',
    layers: listOf(given['layers'], 'layers').map((one) => layerOf(members(one))),
  }
}

function layerOf(given: Given): LayerDraft {
  const { days } = given
  return {
    name: textOf(given, 'name') ?? '',
    unit: textOf(given, 'unit') ?? 'week',
    length: numberOf(given, 'length', 1),
    begins: textOf(given, 'begins') ?? '',
    ends: textOf(given, 'ends') ?? null,
    days: days === undefined || days === null ? null : numbersOf(days, 'days'),
    from: textOf(given, 'from') ?? '00:00',
    to: textOf(given, 'to') ?? '00:00',
    people: numbersOf(given['people'], 'people'),
  }
}

function quietOf(given: Given): QuietDraft {
  const { days } = given
  return {
    days: days == null ? null : numbersOf(days, 'days'),
    from: textOf(given, 'from') ?? '',
    to: textOf(given, 'to') ?? '',
    lets: textOf(given, 'lets') ?? 'critical',
  }
}

function contactMethodsOf(value: unknown): ContactMethodDraft[] {
  return listOf(value, 'ways').map((one) => {
    const given = members(one)
    const { quiet } = given
    return {
      transportId: numberOf(given, 'transport_id', 0),
      attempt: numberOf(given, 'attempt', 1),
      quiet: quiet == null ? [] : listOf(quiet, 'quiet').map((hours) => quietOf(members(hours))),
    }
  })
}
