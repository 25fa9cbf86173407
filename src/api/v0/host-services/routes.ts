import type { Dialect } from '../../../core/base/actor.ts'
import { absent, invalid } from '../../../core/base/errors.ts'
import { flagOf } from '../../../core/checks/fields.ts'
import type { NewHostService, ServiceRow } from '../../../core/checks/service.ts'
import type { Services } from '../../../core/services.ts'
import { members } from '../../body.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { graphAnswer } from '../graphs/answer.ts'
import { GraphModel } from '../graphs/model.ts'
import { lookUpDevice, rowId } from '../lookup.ts'
import { presentService } from '../records/host-service.ts'
import { refusals } from '../statuses.ts'
import { HostServiceModel } from './model.ts'

/** Services of devices, and graphs of their checks. */
export const hostServiceRoutes = ({ devices, hostServices }: Pick<Services, 'devices' | 'hostServices'>) =>
  new Elysia({ name: 'v0.host-services' })
    .use(v0Context)
    .get(
      '/services',
      async ({ actor, dialect, query }) => listed(dialect, await hostServices.list(actor, filterOf(query))),
      {
        ...operation({ id: 'list_services', gate: 'Service.viewAny', summary: 'Services of all devices' }),
        query: HostServiceModel.filter,
        response: { 200: HostServiceModel.list, 400: ErrorModel, 403: ErrorModel },
      },
    )
    .get(
      '/services/:hostname',
      async ({ actor, dialect, params, query }) => {
        const filter = filterOf(query)
        const device = await devices.visible(actor, params.hostname)
        if (!device) throw absent('No valid hostname or device id provided')
        return listed(dialect, await hostServices.list(actor, { ...filter, deviceId: device.device_id }))
      },
      {
        ...operation({
          id: 'get_service_for_host',
          route: 'list_services_device',
          gate: 'Service.viewAny',
          summary: 'Services of a device',
        }),
        params: HostServiceModel.hostname,
        query: HostServiceModel.filter,
        response: { 200: HostServiceModel.list, ...refusals('invalid', 'forbidden', 'absent') },
      },
    )
    .post(
      '/services/:hostname',
      async ({ actor, dialect, params, body, status }) => {
        const device = await lookUpDevice(devices, actor, params.hostname)
        const service = newService(body)
        const id = await hostServices.add(actor, device.device_id, service, judges(dialect))
        const message = `Service ${service.type} has been added to device ${device.hostname} (#${id})`
        return status(201, { status: 'ok' as const, message })
      },
      {
        ...operation({ id: 'add_service_for_host', gate: 'Service.create', summary: 'Adds a service to a device' }),
        params: HostServiceModel.hostname,
        body: HostServiceModel.create,
        response: { 201: HostServiceModel.done, 400: ErrorModel, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .patch(
      '/services/:service_id',
      async ({ actor, dialect, params, body, status }) => {
        await hostServices.update(actor, params.service_id, members(body), judges(dialect))
        return status(201, { status: 'ok' as const, message: 'Service updated successfully' })
      },
      {
        ...operation({
          id: 'edit_service_from_host',
          route: 'edit_service_for_host',
          gate: 'Service.update',
          summary: 'Changes columns of a service',
        }),
        params: HostServiceModel.id,
        body: HostServiceModel.update,
        response: { 201: HostServiceModel.done, ...refusals('unusable', 'forbidden', 'absent') },
      },
    )
    .delete(
      '/services/:service_id',
      async ({ actor, params, status }) => {
        await hostServices.delete(actor, params.service_id)
        return status(201, { status: 'ok' as const, message: 'Service has been deleted successfully' })
      },
      {
        ...operation({
          id: 'delete_service_from_host',
          route: 'del_service_from_host',
          gate: 'Service.delete',
          summary: 'Removes a service',
        }),
        params: HostServiceModel.id,
        response: { 201: HostServiceModel.done, ...refusals('forbidden', 'absent') },
      },
    )
    .get(
      '/devices/:hostname/services/:service_id/graphs/:datasource',
      async ({ actor, params, query }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        const of = { deviceId: device_id, serviceId: rowId(params.service_id), ds: params.datasource }
        return graphAnswer(await hostServices.graph(of, query), 'service_graph', query.output)
      },
      {
        ...operation({
          id: 'get_graph_by_service',
          gate: 'Device.viewAny',
          summary: 'Graph of the values measured by the check of a service',
        }),
        params: HostServiceModel.graph,
        query: GraphModel.deviceQuery,
        response: { 200: GraphModel.image, ...refusals('invalid', 'forbidden', 'not_found', 'absent') },
      },
    )

/** Whether parameters that no check accepts are refused. LibreNMS stores them, and lets the check complain. */
const judges = (dialect: Dialect) => dialect === 'documented'

/** Serves list_services and get_service_for_host: `[[a], [b]]` as documented, `[[a, b]]` as LibreNMS sends it. */
function listed(dialect: Dialect, rows: readonly ServiceRow[]) {
  const list = rows.map(presentService)
  const services = dialect === 'documented' ? list.map((service) => [service]) : [list]
  return { status: 'ok' as const, services, message: '' as const, count: services.length }
}

function filterOf({ state, type }: { readonly state?: string; readonly type?: string }) {
  if (state !== undefined && !/^-?\d+(\.\d+)?$/.test(state)) {
    throw invalid('No valid service state provided, valid option is 0=Ok, 1=Warning, 2=Critical')
  }
  return {
    // an invalid state matches no service
    ...(state !== undefined && { state: /^\d$/.test(state) ? Number(state) : -1 }),
    ...(type !== undefined && { typePattern: type }),
  }
}

function newService(json: unknown): NewHostService {
  const body = members(json)
  const text = (name: string) => {
    const value = body[name]
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  return {
    type: text('type'),
    ip: text('ip'),
    desc: text('desc'),
    param: text('param'),
    name: text('name'),
    ignore: flagOf(body['ignore']) ?? 0,
    disabled: flagOf(body['disable']) ?? 0,
  }
}
