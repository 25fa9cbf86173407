import { invalid, notFound } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel, isSet, wrapped } from '../envelope.ts'
import { objectBody } from '../records/device-group.ts'
import { GroupModel } from './model.ts'

/** The port ids in a body. Throws 400 if there are none. */
function portIds(body: unknown): unknown {
  const { port_ids } = objectBody(body)
  if (port_ids === undefined || port_ids === null) throw invalid("Missing data field 'port_ids' No error")
  return port_ids
}

/** The unusual answer of assign and remove: the message is the name of a member whose value is 200. */
const confirmation = (text: string) => ({ status: 'ok' as const, [text]: 200 })

/** Port groups and their members. */
export const portGroupRoutes = ({ ports, portGroups }: Pick<Services, 'ports' | 'portGroups'>) =>
  new Elysia({ name: 'v0.port-groups', prefix: '/port_groups' })
    .use(v0Context)
    .get(
      '',
      async ({ actor, dialect }) => {
        const groups = await portGroups.list(actor)
        if (groups.length === 0) throw notFound('No port groups found')
        const message = `Found ${groups.length} port groups`
        return wrapped(dialect, { status: 'ok' as const, message, groups, count: groups.length })
      },
      {
        ...operation({ id: 'get_port_groups', gate: 'PortGroup.viewAny', summary: 'Port groups' }),
        response: { 200: GroupModel.portGroups, 404: ErrorModel },
      },
    )
    .post(
      '',
      async ({ actor, body, status }) => {
        const { id, name } = await portGroups.create(actor, objectBody(body))
        return status(201, { status: 'ok' as const, id, message: `Port group ${name} created` })
      },
      {
        ...operation({ id: 'add_port_group', gate: 'PortGroup.create', summary: 'Creates a port group' }),
        body: GroupModel.createPortGroup,
        response: { 201: GroupModel.created, 400: ErrorModel, 403: ErrorModel, 422: ErrorModel },
      },
    )
    .get(
      '/:name',
      async ({ actor, params: { name }, query }) => {
        const group = await portGroups.find(actor, name)
        if (!group) throw notFound('Port group not found')
        const ids = await portGroups.members(actor, group)
        if (ids.length === 0) throw notFound(`No ports found in group ${name}`)
        const members = isSet(query.full) ? await ports.records(ids) : ids.map((port_id) => ({ port_id }))
        return { status: 'ok' as const, ports: members, count: members.length }
      },
      {
        ...operation({ id: 'get_ports_by_group', gate: 'PortGroup.viewAny', summary: 'Ports of a port group' }),
        params: GroupModel.name,
        query: GroupModel.full,
        response: { 200: GroupModel.ports, 404: ErrorModel },
      },
    )
    .post(
      '/:port_group_id/assign',
      async ({ actor, params: { port_group_id: id }, body }) => {
        const ids = await portGroups.assign(actor, id, portIds(body))
        return confirmation(`Port Ids ${ids.join(', ')} have been added to Port Group Id ${id}`)
      },
      {
        ...operation({ id: 'assign_port_group', gate: 'PortGroup.update', summary: 'Adds ports to a port group' }),
        params: GroupModel.portGroupId,
        body: GroupModel.portIds,
        response: { 200: GroupModel.assigned, 400: ErrorModel, 403: ErrorModel, 404: ErrorModel, 422: ErrorModel },
      },
    )
    .post(
      '/:port_group_id/remove',
      async ({ actor, params: { port_group_id: id }, body }) => {
        const ids = await portGroups.remove(actor, id, portIds(body))
        return confirmation(`Port Ids ${ids.join(', ')} have been removed from Port Group Id ${id}`)
      },
      {
        ...operation({ id: 'remove_port_group', gate: 'PortGroup.update', summary: 'Removes ports from a port group' }),
        params: GroupModel.portGroupId,
        body: GroupModel.portIds,
        response: { 200: GroupModel.assigned, 400: ErrorModel, 403: ErrorModel, 404: ErrorModel, 422: ErrorModel },
      },
    )
