import { invalid } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { members } from '../../body.ts'
import { Elysia, t } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'

const References = t.Union([t.String({ description: 'Ids or hostnames, separated by commas' }), t.Number()])

const ParentModel = {
  hostname: documented(t.Object({ hostname: t.String({ description: 'Hostname or numeric device id' }) })),
  add: documented(t.Object({ parent_ids: References })),
  remove: documented(t.Object({ parent_ids: t.Optional(References) })),
  done: documented(t.Object({ status: Ok, message: t.String() })),
}

/** Maximum number of parents of a device, which bounds the look-ups of a request. */
const MAX_PARENTS = 1000

/** Parses `parent_ids`: comma-separated text, a number, or a list of both. Null if missing. */
function references(json: unknown): string[] | null {
  const given = members(json)['parent_ids']
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  const refs = list
    .flatMap((item) => (typeof item === 'string' || typeof item === 'number' ? String(item).split(',') : []))
    .map((ref) => ref.trim())
    .filter((ref) => ref !== '')
  if (refs.length > MAX_PARENTS) throw invalid('Check your parent and device IDs')
  return refs.length === 0 ? null : refs
}

/** Replaces and removes the parents of a device. */
export const parentRoutes = ({ devices, parents }: Pick<Services, 'devices' | 'parents'>) =>
  new Elysia({ name: 'v0.parents', prefix: '/devices/:hostname/parents' })
    .use(v0Context)
    .post(
      '',
      async ({ actor, params, body, status }) => {
        const ids = await parents.idsOf(actor, references(body) ?? [])
        const device = await devices.find(actor, params.hostname)
        if (!device || ids.length === 0) throw invalid('Check your parent and device IDs')
        await parents.replace(actor, device.device_id, ids)
        return status(201, { status: 'ok' as const, message: 'Device dependencies have been saved' })
      },
      {
        ...operation({
          id: 'add_parents_to_host',
          path: '/devices/:id/parents',
          gate: 'Device.update',
          summary: 'Replaces the parents of a device',
        }),
        params: ParentModel.hostname,
        body: ParentModel.add,
        response: { 201: ParentModel.done, 400: ErrorModel },
      },
    )
    .delete(
      '',
      async ({ actor, params, body, status }) => {
        const device = await devices.find(actor, params.hostname)
        if (!device) throw invalid('Check your device ID!')
        const refs = references(body)
        const ids = refs === null ? null : await parents.idsOf(actor, refs)
        await parents.remove(actor, device.device_id, ids)
        return status(201, { status: 'ok' as const, message: 'All device dependencies have been removed' })
      },
      {
        ...operation({
          id: 'del_parents_from_host',
          path: '/devices/:id/parents',
          gate: 'Device.update',
          summary: 'Removes parents of a device, all by default',
        }),
        params: ParentModel.hostname,
        body: ParentModel.remove,
        response: { 201: ParentModel.done, 400: ErrorModel },
      },
    )
