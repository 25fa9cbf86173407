import {
  FAULT_BOUNDS,
  FAULT_STATES,
  type FaultFilter,
  type FaultState,
  type Until,
} from '../../core/alerts/faults/fault.ts'
import { MAX_LISTED } from '../../core/alerts/faults/service.ts'
import { FAULT_KINDS } from '../../core/alerts/faults/subject.ts'
import type { Actor } from '../../core/base/actor.ts'
import { forbidden, invalid, notFound } from '../../core/base/errors.ts'
import { isId } from '../../core/base/ids.ts'
import { isAllowed } from '../../core/base/permissions.ts'
import type { Services } from '../../core/services.ts'
import { members, readBody } from '../body.ts'
import { Elysia, t } from '../elysia.ts'
import { bearerPlugin } from '../token.ts'
import { v1Parse } from './change.ts'
import { entryRecord, FAULT_MODELS, FAULT_TYPE, faultRecord } from './fault-models.ts'
import { numberOf, type QueryTexts } from './given.ts'
import { described, ErrorList, IdPath, REFUSALS, WRITE_REFUSALS } from './model.ts'
import { bodyTooLarge } from './present-error.ts'
import { type Asked, type Run, v1Run } from './run.ts'

const DEFAULT_LIMIT = 100
const VIEW = 'Alert.viewAny'
const UPDATE = 'Alert.update'

const Given = (description: string) => t.Optional(t.String({ description }))
const Query = t.NoValidate(
  t.Object({
    state: Given(`open (default: active and acknowledged), all, or some of ${FAULT_STATES.join(', ')}, by commas`),
    severity: Given('ok, warning or critical'),
    device: Given('device_id'),
    rule: Given('Id of a rule'),
    alert: Given('Id of an alert'),
    kind: Given(FAULT_KINDS.join(', ')),
    subject: Given('Id of the thing, with kind'),
    assigned_to: Given('user_id; me: the caller'),
    since: Given('Only faults that were not over at this time: RFC 3339, or epoch seconds'),
    until: Given('Only faults that had begun at this time'),
    limit: Given(`1 to ${FAULT_BOUNDS.page}; default ${DEFAULT_LIMIT}`),
    offset: Given(`0 to ${MAX_LISTED}; default 0`),
  }),
)
const WRITES = { ...WRITE_REFUSALS, 409: ErrorList }

type FaultDeps = Pick<Services, 'auth' | 'sessions' | 'faults' | 'config' | 'log'>
type Members = Readonly<Record<string, unknown>>

/** Faults: each thing that rules find wrong, by itself. These operations are our own; LibreNMS has none like them. */
export const faultRoutes = (services: FaultDeps) => {
  const { faults, config } = services
  const run = v1Run(services)
  /** Answers for an actor who may see alerts. */
  const answer: Run = (id, asked, work) =>
    run(id, asked, (actor) => {
      if (!isAllowed(actor, VIEW, config)) throw forbidden('')
      return work(actor)
    })
  return new Elysia({ name: 'v1.faults' })
    .use(bearerPlugin())
    .get(
      '/faults',
      (asked) =>
        answer('v1_faults', asked, async (actor) => {
          const limit = numberOf(asked.query, 'limit', FAULT_BOUNDS.page, 1) ?? DEFAULT_LIMIT
          const offset = numberOf(asked.query, 'offset', MAX_LISTED) ?? 0
          const { rows, total } = await faults.list(actor, filterOf(asked.query, actor), { offset, limit })
          return { data: rows.map((row) => faultRecord(row, { rows: false })), meta: { total, limit, offset } }
        }),
      {
        query: Query,
        response: { 200: FAULT_MODELS.many, ...REFUSALS },
        detail: described('v1_faults', 'What is wrong, each thing by itself, the latest first', VIEW),
      },
    )
    .get(
      '/faults/:id',
      (asked) =>
        answer('v1_fault', asked, async (actor) => ({
          data: faultRecord(await faults.get(actor, idOf(asked.params.id)), { rows: true }),
        })),
      {
        params: IdPath,
        response: { 200: FAULT_MODELS.one, ...REFUSALS },
        detail: described('v1_fault', 'A fault, with the rows that the rule matched', VIEW),
      },
    )
    .get(
      '/faults/:id/history',
      (asked) =>
        answer('v1_fault_history', asked, async (actor) => ({
          data: (await faults.history(actor, idOf(asked.params.id))).map(entryRecord),
        })),
      {
        params: IdPath,
        response: { 200: FAULT_MODELS.history, ...REFUSALS },
        detail: described('v1_fault_history', 'What happened to a fault, the oldest first', VIEW),
      },
    )
    .use(changes(services, run))
}

function changes(services: FaultDeps, run: Run) {
  const { faults, config } = services

  /** Changes the fault of the path with the attributes of the body, and answers with it. */
  async function change(
    name: string,
    asked: Asked & { readonly params: { readonly id: string } },
    work: (actor: Actor, id: number, given: Members) => Promise<unknown>,
  ): Promise<Response> {
    const body = await readBody(asked.request, config.get('api.max_body'))
    if (body.kind === 'too-large') return bodyTooLarge()
    return await run(name, asked, async (actor) => {
      if (!isAllowed(actor, UPDATE, config)) throw forbidden('')
      if (body.kind !== 'read') throw invalid('The body is not valid JSON')
      const id = idOf(asked.params.id)
      await work(actor, id, attributesOf(body.json))
      return { data: faultRecord(await faults.get(actor, id), { rows: true }) }
    })
  }

  const written = (
    body: (typeof FAULT_MODELS)['noted'] | (typeof FAULT_MODELS)['mute'],
    name: string,
    summary: string,
  ) => ({
    params: IdPath,
    body,
    response: { 200: FAULT_MODELS.one, ...WRITES },
    detail: described(name, summary, UPDATE),
  })
  return new Elysia({ name: 'v1.fault-changes' })
    .use(bearerPlugin())
    .onParse(v1Parse(services))
    .post(
      '/faults/:id/acknowledge',
      (asked) =>
        change('v1_fault_acknowledge', asked, (actor, id, given) =>
          faults.acknowledge(actor, [id], { note: noteOf(given), until: untilOf(given) ?? 'clear' }),
        ),
      written(FAULT_MODELS.acknowledge, 'v1_fault_acknowledge', 'Acknowledges a fault, and none that begins later'),
    )
    .post(
      '/faults/:id/unacknowledge',
      (asked) =>
        change('v1_fault_unacknowledge', asked, (actor, id, given) => faults.unacknowledge(actor, [id], noteOf(given))),
      written(FAULT_MODELS.noted, 'v1_fault_unacknowledge', 'Makes an acknowledged fault active again'),
    )
    .post(
      '/faults/:id/assign',
      (asked) =>
        change('v1_fault_assign', asked, (actor, id, given) => faults.assign(actor, id, userOf(given), noteOf(given))),
      written(FAULT_MODELS.assign, 'v1_fault_assign', 'Assigns a fault to a user who may see the device'),
    )
    .post(
      '/faults/:id/mute',
      (asked) =>
        change('v1_fault_mute', asked, (actor, id, given) => {
          const until = untilOf(given)
          if (until === undefined || until === 'worse') throw invalid("'until' is not clear, a time or null")
          return faults.mute(actor, id, until, noteOf(given))
        }),
      written(FAULT_MODELS.mute, 'v1_fault_mute', 'Silences a fault, or no longer'),
    )
    .post(
      '/faults/:id/notes',
      (asked) => change('v1_fault_note', asked, (actor, id, given) => faults.note(actor, id, noteOf(given))),
      written(FAULT_MODELS.noted, 'v1_fault_note', 'Adds a note to a fault'),
    )
}

/** The attributes of a JSON:API body, or the members of a plain one. */
function attributesOf(json: unknown): Members {
  if (json === null) return {}
  if (typeof json !== 'object' || Array.isArray(json)) throw invalid('The body is not a JSON object')
  const given = members(json)
  if (!('data' in given)) return given
  const data = members(given['data'])
  if (data['type'] !== FAULT_TYPE) throw invalid(`'data.type' is not '${FAULT_TYPE}'`)
  return members(data['attributes'])
}

const MAX_FAULT_ID = Number.MAX_SAFE_INTEGER

/** The id in a path. Throws `not_found`. */
function idOf(text: string): number {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0
  if (id === 0 || id > MAX_FAULT_ID) throw notFound(`Fault ${text.slice(0, 20)} does not exist`)
  return id
}

function noteOf({ note }: Members): string {
  if (note === undefined || note === null) return ''
  if (typeof note !== 'string') throw invalid("'note' is not a text")
  if (note.length > FAULT_BOUNDS.note)
    throw invalid(`'note' has ${note.length} characters; the most are ${FAULT_BOUNDS.note}`)
  return note
}

function userOf({ user_id: user }: Members): number | null {
  if (user === null) return null
  if (!isId(user)) throw invalid("'user_id' is not an id of a user, nor null")
  return user
}

/** `until` of a body; undefined: absent. Throws `invalid`. */
function untilOf(given: Members): Until | null | undefined {
  const { until } = given
  if (until === undefined || until === null) return until
  if (until === 'clear' || until === 'worse') return until
  const ms = timeOf(typeof until === 'number' ? String(until) : typeof until === 'string' ? until : '')
  if (ms === null) throw invalid("'until' is not clear, worse, nor a time such as 2026-01-31T12:00:00Z")
  return new Date(ms)
}

const LATEST_MS = Date.parse('9999-12-31T00:00:00Z')

/** RFC 3339 or epoch seconds as epoch ms; null: neither. */
function timeOf(text: string): number | null {
  const ms = /^\d{1,11}$/.test(text) ? Number(text) * 1000 : /^\d{4}-/.test(text) ? Date.parse(text) : Number.NaN
  return ms >= 0 && ms < LATEST_MS ? ms : null
}

function time(query: QueryTexts, name: string): number | null {
  const text = query[name]
  if (text === undefined || text === '') return null
  const ms = timeOf(text)
  if (ms === null) throw invalid(`'${name}' is neither RFC 3339, such as 2026-01-31T12:00:00Z, nor epoch seconds`)
  return ms
}

const MAX_ID = 2_147_483_647
const SEVERITIES = ['ok', 'warning', 'critical'] as const

function statesOf(text: string): readonly FaultState[] | undefined {
  if (text === 'all') return undefined
  if (text === 'open') return [1, 2]
  return text.split(',').map((name) => {
    const state = FAULT_STATES.indexOf(name.trim())
    if (state !== 0 && state !== 1 && state !== 2)
      throw invalid(`'state' is not open, all, nor some of ${FAULT_STATES.join(', ')}`)
    return state
  })
}

function filterOf(query: QueryTexts, actor: Actor): FaultFilter {
  const one = <V extends string>(name: string, values: readonly V[]): V | undefined => {
    const text = query[name] ?? ''
    const found = values.find((value) => value === text)
    if (text !== '' && found === undefined) throw invalid(`'${name}' is not one of ${values.join(', ')}`)
    return found
  }
  const states = statesOf(query['state'] || 'open')
  const assigned = query['assigned_to'] === 'me' ? actor.userId : numberOf(query, 'assigned_to', MAX_ID)
  const [severity, kind] = [one('severity', SEVERITIES), one('kind', FAULT_KINDS)]
  const ids = {
    deviceId: numberOf(query, 'device', MAX_ID),
    ruleId: numberOf(query, 'rule', MAX_ID),
    alertId: numberOf(query, 'alert', MAX_ID),
    subjectId: numberOf(query, 'subject', MAX_ID),
    assignedTo: assigned,
    since: time(query, 'since'),
    until: time(query, 'until'),
  }
  return {
    ...(states !== undefined && { states }),
    ...(severity !== undefined && { severity }),
    ...(kind !== undefined && { kind }),
    ...Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== null)),
  }
}
