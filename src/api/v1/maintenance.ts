import type { Actor } from '../../core/base/actor.ts'
import { forbidden, invalid, notFound } from '../../core/base/errors.ts'
import { isAllowed, type Permission } from '../../core/base/permissions.ts'
import type { MaintainedPart, MaintenanceRequest } from '../../core/maintenance/service.ts'
import type { Services } from '../../core/services.ts'
import { members, readBody } from '../body.ts'
import { Elysia, t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { jsonApi } from '../respond.ts'
import { bearerPlugin } from '../token.ts'
import { v1Parse } from './change.ts'
import { idOf } from './given.ts'
import { described, IdPath, REFUSALS, WRITE_REFUSALS } from './model.ts'
import { bodyTooLarge } from './present-error.ts'
import { type Asked, v1Run } from './run.ts'

const TYPE = 'maintenance'
const Effect = whole({ description: '1: no alert checks; 2: no notifications; 3: alerts as usual' })
const Open = t.NoValidate(
  t.Object({
    data: t.Union([
      t.Object({
        type: t.Literal(TYPE),
        attributes: t.Object(
          {
            title: t.String({ description: 'Of the window that ends last' }),
            behavior: Effect,
            until: t.String({ description: 'ISO 8601, UTC' }),
          },
          { title: 'OpenMaintenance' },
        ),
      }),
      t.Null(),
    ]),
  }),
)
const Made = t.NoValidate(t.Object({ data: t.Object({ type: t.Literal(TYPE), id: t.String() }) }))
const Wanted = t.NoValidate(
  t.Object(
    {
      data: t.Object({
        type: t.Literal(TYPE),
        attributes: t.Object({
          duration: t.String({ description: 'H:MM; hours may exceed 23' }),
          title: t.Optional(t.String({ description: 'Default: what the window is for' })),
          notes: t.Optional(t.String()),
          start: t.Optional(t.String({ description: 'YYYY-MM-DD HH:MM, server time; default: now' })),
          behavior: t.Optional(Effect),
        }),
      }),
    },
    { title: 'PartMaintenance' },
  ),
)
const MAX_TEXT = 10_000

/** Who may read the maintenance of a port or sensor, and who may plan it. */
const GATES = {
  port: { path: '/ports/:id/maintenance', read: 'Port.viewAny', write: 'Port.update' },
  sensor: { path: '/sensors/:id/maintenance', read: 'Sensor.viewAny', write: 'Device.update' },
} as const satisfies Record<MaintainedPart['kind'], { path: string; read: Permission; write: Permission }>

/** Maintenance of single ports and sensors. These operations are our own; LibreNMS has none like them. */
export const partMaintenanceRoutes = (
  services: Pick<Services, 'auth' | 'sessions' | 'maintenance' | 'config' | 'log'>,
) => {
  const { maintenance, config } = services
  const run = v1Run(services)

  /** The port or sensor in a path. Throws `forbidden` without the permission, `not_found`. */
  async function partOf(
    actor: Actor,
    kind: MaintainedPart['kind'],
    text: string,
    gate: Permission,
  ): Promise<MaintainedPart> {
    if (!isAllowed(actor, gate, config)) throw forbidden('')
    const part = await maintenance.findPart(actor, kind, idOf(text))
    if (part === null) throw notFound(`${text} not found`)
    return part
  }

  const read = (kind: MaintainedPart['kind']) => (asked: Asked & { readonly params: { readonly id: string } }) =>
    run(`v1_${kind}_maintenance`, asked, async (actor) => {
      const part = await partOf(actor, kind, asked.params.id, GATES[kind].read)
      const open = await maintenance.ofPart(kind, part.id, Date.now())
      if (open === null) return { data: null }
      return { data: { type: TYPE, attributes: { ...open, until: open.until.toISOString() } } }
    })

  const plan = (kind: MaintainedPart['kind']) => (asked: Asked & { readonly params: { readonly id: string } }) =>
    run(`v1_${kind}_maintenance_add`, asked, async (actor) => {
      const part = await partOf(actor, kind, asked.params.id, GATES[kind].write)
      const body = await readBody(asked.request, config.get('api.max_body'))
      if (body.kind === 'too-large') return bodyTooLarge()
      if (body.kind !== 'read') throw invalid('The body is not valid JSON')
      const id = await maintenance.schedule(actor, part, requestOf(body.json))
      return jsonApi({ data: { type: TYPE, id: String(id) } }, 201)
    })

  const reading = (kind: MaintainedPart['kind']) => ({
    params: IdPath,
    response: { 200: Open, ...REFUSALS },
    detail: described(
      `v1_${kind}_maintenance`,
      `The maintenance window that is open for a ${kind} by itself; null: none`,
      GATES[kind].read,
    ),
  })
  const planning = (kind: MaintainedPart['kind']) => ({
    params: IdPath,
    body: Wanted,
    response: { 201: Made, ...WRITE_REFUSALS },
    detail: described(`v1_${kind}_maintenance_add`, `Puts a ${kind} under maintenance`, GATES[kind].write),
  })
  return new Elysia({ name: 'v1.maintenance' })
    .use(bearerPlugin())
    .onParse(v1Parse(services))
    .get(GATES.port.path, read('port'), reading('port'))
    .post(GATES.port.path, plan('port'), planning('port'))
    .get(GATES.sensor.path, read('sensor'), reading('sensor'))
    .post(GATES.sensor.path, plan('sensor'), planning('sensor'))
}

/** The window that a body asks for. Throws `invalid` with what is wrong. */
function requestOf(json: unknown): MaintenanceRequest {
  const data = members(members(json)['data'])
  if (data['type'] !== TYPE) throw invalid(`'data.type' is not '${TYPE}'`)
  const { duration, title, notes, start, behavior, ...others } = members(data['attributes'] ?? {})
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw invalid(`'${unknown.slice(0, 100)}' is not one of duration, title, notes, start, behavior`)
  if (typeof duration !== 'string') throw invalid("'duration' is not a string such as 2:00")
  for (const [name, value] of Object.entries({ title, notes, start }))
    if (value !== undefined && !(typeof value === 'string' && value.length <= MAX_TEXT))
      throw invalid(`'${name}' is not a string of at most ${MAX_TEXT} characters`)
  if (behavior !== undefined && behavior !== 1 && behavior !== 2 && behavior !== 3)
    throw invalid("'behavior' is not 1, 2 or 3")
  return {
    title: (title as string | undefined)?.trim() || null,
    notes: ((notes as string | undefined) ?? '').toWellFormed(),
    start: (start as string | undefined) ?? null,
    duration,
    behavior: behavior ?? null,
  }
}
