import {
  MAX_SEGMENTS,
  MAX_TARGETS,
  type Operation,
  PHASES,
  parseTarget,
  type Segment,
} from '../../core/alerts/operations/operation.ts'
import type { ShownOperation } from '../../core/alerts/operations/service.ts'
import { invalid } from '../../core/base/errors.ts'
import type { Services } from '../../core/services.ts'
import { members } from '../body.ts'
import { Elysia, t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { bearerPlugin } from '../token.ts'
import { v1Change, v1Parse } from './change.ts'
import { idOf } from './given.ts'
import { Changed, described, ErrorList, IdPath, REFUSALS, WRITE_REFUSALS } from './model.ts'
import { v1Run } from './run.ts'

const TYPE = 'operations'
const Phase = t.Union([t.Literal('problem'), t.Literal('recovery'), t.Literal('update')])
const NoEnd = t.Union([whole(), t.Null()], { description: 'The last step; null: no end' })
const Seconds = t.Union([whole(), t.Null()], {
  description: 'How long a step takes; null: setting alert.step_duration',
})
const Attributes = t.Object(
  {
    name: t.String(),
    step_duration_seconds: Seconds,
    notifications_suppressed: t.Boolean({ description: 'Nobody is notified' }),
    segments: t.Array(
      t.Object({
        phase: Phase,
        step_from: whole({ description: 'Counts from 1' }),
        step_to: NoEnd,
        start_seconds: whole({ description: 'From the end of the steps before it' }),
        step_duration_seconds: whole({ description: '0: that of the operation' }),
        when: t.String({ description: 'The same in words' }),
        targets: t.Array(
          t.Object({
            id: t.String({ description: '3: a transport, g2: a group, s4: a schedule of people on call' }),
            name: t.String(),
            kind: t.String({ description: 'Of the transport; empty for groups and schedules' }),
          }),
        ),
      }),
    ),
    rules: t.Array(whole(), { description: 'Ids of the rules that use it' }),
  },
  { title: 'Operation' },
)
const Record = t.Object({ type: t.Literal(TYPE), id: t.String(), attributes: Attributes }, { title: 'OperationRecord' })
const One = t.NoValidate(t.Object({ data: Record }))
const Many = t.NoValidate(t.Object({ data: t.Array(Record) }))
const Given = t.NoValidate(
  t.Object(
    {
      data: t.Object({
        type: t.Literal(TYPE),
        attributes: t.Object({
          name: t.String(),
          step_duration_seconds: t.Optional(Seconds),
          notifications_suppressed: t.Optional(t.Boolean()),
          segments: t.Array(
            t.Object({
              phase: t.Optional(Phase),
              step_from: t.Optional(whole({ description: 'Default 1' })),
              step_to: t.Optional(NoEnd),
              start_seconds: t.Optional(whole()),
              step_duration_seconds: t.Optional(whole()),
              targets: t.Array(t.Union([t.String(), whole()]), {
                description: '3: a transport, g2: a group, s4: a schedule of people on call',
              }),
            }),
          ),
        }),
      }),
    },
    { title: 'OperationBody' },
  ),
)
const WRITES = { ...WRITE_REFUSALS, 409: ErrorList }
const VIEW = 'AlertTemplate.viewAny'
const ADMIN = 'role admin'

/** Operations: who is notified of alerts, and when. LibreNMS changes them only on its pages. */
export const operationRoutes = (services: Pick<Services, 'auth' | 'sessions' | 'operations' | 'config' | 'log'>) => {
  const { operations } = services
  const run = v1Run(services)
  const change = v1Change(services, run)
  return new Elysia({ name: 'v1.operations' })
    .use(bearerPlugin())
    .onParse(v1Parse(services))
    .get(
      '/operations',
      (asked) => run('v1_operations', asked, async (actor) => ({ data: (await operations.list(actor)).map(recordOf) })),
      {
        response: { 200: Many, ...REFUSALS },
        detail: described('v1_operations', 'Who is notified of alerts, and when: all operations', VIEW),
      },
    )
    .get(
      '/operations/:id',
      (asked) =>
        run('v1_operation', asked, async (actor) => ({
          data: recordOf(await operations.get(actor, idOf(asked.params.id))),
        })),
      {
        params: IdPath,
        response: { 200: One, ...REFUSALS },
        detail: described('v1_operation', 'One operation', VIEW),
      },
    )
    .post(
      '/operations',
      (asked) =>
        change('v1_operation_add', TYPE, asked, async (actor, given) => {
          const id = await operations.add(actor, operationOf(given))
          return { data: recordOf(await operations.get(actor, id)) }
        }),
      {
        body: Given,
        response: { 200: One, ...WRITES },
        detail: described('v1_operation_add', 'Adds an operation', ADMIN),
      },
    )
    .put(
      '/operations/:id',
      (asked) =>
        change('v1_operation_change', TYPE, asked, async (actor, given) => {
          const id = idOf(asked.params.id)
          await operations.replace(actor, id, operationOf(given))
          return { data: recordOf(await operations.get(actor, id)) }
        }),
      {
        params: IdPath,
        body: Given,
        response: { 200: One, ...WRITES },
        detail: described('v1_operation_change', 'Replaces an operation, for all rules that use it', ADMIN),
      },
    )
    .delete(
      '/operations/:id',
      (asked) =>
        run('v1_operation_delete', asked, async (actor) => {
          await operations.remove(actor, idOf(asked.params.id))
          return { meta: { changed: 1 } }
        }),
      {
        params: IdPath,
        response: { 200: Changed, 409: ErrorList, ...REFUSALS },
        detail: described('v1_operation_delete', 'Deletes an operation that no rule uses', ADMIN),
      },
    )
}

/** The operation in a body. Throws `invalid` with the member that is wrong; the service checks the numbers. */
function operationOf(given: Readonly<Record<string, unknown>>): Operation {
  const { name, segments, step_duration_seconds: step = null, notifications_suppressed: suppressed = false } = given
  if (typeof name !== 'string') throw invalid("'name' is not a text")
  if (typeof suppressed !== 'boolean') throw invalid("'notifications_suppressed' is not true or false")
  if (!Array.isArray(segments)) throw invalid("'segments' is not a list")
  if (segments.length > MAX_SEGMENTS)
    throw invalid(`'segments' has ${segments.length} entries, at most ${MAX_SEGMENTS}`)
  return {
    name: name.trim(),
    stepDurationS: step === null ? null : numberOf('step_duration_seconds', step, 0),
    suppressed,
    segments: segments.map((one: unknown) => segmentOf(members(one))),
  }
}

function segmentOf(given: Readonly<Record<string, unknown>>): Segment {
  const { phase = 'problem', step_to: to = null, targets } = given
  const known = PHASES.find((one) => one === phase)
  if (known === undefined) throw invalid(`'phase' is not one of ${PHASES.join(', ')}`)
  if (!Array.isArray(targets)) throw invalid("'targets' is not a list of ids")
  if (targets.length > MAX_TARGETS) throw invalid(`'targets' has ${targets.length} entries, at most ${MAX_TARGETS}`)
  return {
    phase: known,
    from: numberOf('step_from', given['step_from'], 1),
    to: to === null ? null : numberOf('step_to', to, 1),
    startS: numberOf('start_seconds', given['start_seconds'], 0),
    durationS: numberOf('step_duration_seconds', given['step_duration_seconds'], 0),
    targets: targets.map((one: unknown) => {
      const target = parseTarget(one)
      if (target === null)
        throw invalid(`'targets' has ${JSON.stringify(one)?.slice(0, 100)}; ids are as in 3, g2 or s4`)
      return target
    }),
  }
}

function numberOf(name: string, value: unknown, absent: number): number {
  if (value === undefined) return absent
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw invalid(`'${name}' is not a whole number`)
  return value
}

function recordOf({ id, name, stepDurationS, suppressed, segments, rules }: ShownOperation) {
  return {
    type: TYPE,
    id: String(id),
    attributes: {
      name,
      step_duration_seconds: stepDurationS,
      notifications_suppressed: suppressed,
      segments: segments.map((one) => ({
        phase: one.phase,
        step_from: one.from,
        step_to: one.to,
        start_seconds: one.startS,
        step_duration_seconds: one.durationS,
        when: one.when,
        targets: one.targets.map((target) => ({ id: target.text, name: target.name, kind: target.kind })),
      })),
      rules: [...rules],
    },
  }
}
