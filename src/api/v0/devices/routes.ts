import { conflict, DomainError, notFound, unusable } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel, wrapped } from '../envelope.ts'
import { lookUpDevice } from '../lookup.ts'
import { isNotFound } from '../present-error.ts'
import { presentDevice } from '../records/device.ts'
import { refusals } from '../statuses.ts'
import { listDevices } from './list.ts'
import { DeviceModel } from './model.ts'
import { fieldChanges, newDevice, updateFailed } from './requests.ts'

/** Devices: list, add, get, delete, change, rename, discover, availability, outages. */
export const deviceRoutes = ({ devices, ports }: Pick<Services, 'devices' | 'ports'>) =>
  new Elysia({ name: 'v0.devices', prefix: '/devices' })
    .use(v0Context)
    .get('', ({ actor, query }) => listDevices({ devices, ports }, actor, query), {
      ...operation({ id: 'list_devices', gate: 'Device.viewAny', summary: 'Devices, filtered and ordered' }),
      query: DeviceModel.listQuery,
      response: { 200: DeviceModel.list, ...refusals('invalid', 'unusable') },
    })
    .post(
      '',
      async ({ actor, body }) => {
        const device = presentDevice(await devices.add(actor, newDevice(body)))
        return {
          status: 'ok' as const,
          message: `Device ${device.hostname} (${device.device_id}) has been added successfully`,
          devices: [device],
          count: 1,
        }
      },
      {
        ...operation({
          id: 'add_device',
          gate: 'Device.create',
          summary: 'Adds a device after probing it with ICMP and SNMP',
        }),
        body: DeviceModel.add,
        response: { 200: DeviceModel.added, ...refusals('invalid', 'unusable', 'conflict', 'silent') },
      },
    )
    .get(
      '/:hostname',
      async ({ actor, params }) => {
        const device = await devices.recordOpenly(actor, params.hostname)
        if (!device) throw notFound(`Device ${params.hostname} does not exist`)
        return { status: 'ok' as const, devices: [presentDevice(device)], count: 1 }
      },
      {
        ...operation({ id: 'get_device', gate: 'Device.viewAny', summary: 'One device' }),
        params: DeviceModel.hostname,
        response: { 200: DeviceModel.one, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .delete(
      '/:hostname',
      async ({ actor, params }) => {
        const device = presentDevice(await devices.delete(actor, params.hostname))
        return { status: 'ok' as const, devices: [device], message: `Removed device ${device.hostname}\n`, count: 1 }
      },
      {
        ...operation({
          id: 'del_device',
          gate: 'Device.delete',
          summary: 'Deletes a device and everything that belongs to it',
        }),
        params: DeviceModel.hostname,
        response: { 200: DeviceModel.added, 404: ErrorModel },
      },
    )
    .patch(
      '/:hostname',
      async ({ actor, dialect, params, body }) => {
        await devices.require(actor, params.hostname)
        const wanted = fieldChanges(body)
        await devices.update(actor, params.hostname, wanted.changes).catch((error: unknown) => {
          throw updateFailed(error, wanted)
        })
        const message = wanted.list
          ? 'Device fields have been updated'
          : `Device ${wanted.changes[0]?.[0]} field has been updated`
        return wrapped(dialect, { status: 'ok' as const, message })
      },
      {
        ...operation({ id: 'update_device_field', gate: 'Device.update', summary: 'Changes fields of a device' }),
        params: DeviceModel.hostname,
        body: DeviceModel.update,
        response: { 200: DeviceModel.updated, ...refusals('invalid', 'unusable', 'not_found') },
      },
    )
    .patch(
      '/:hostname/rename/:new_hostname',
      async ({ actor, dialect, params }) => {
        await devices.rename(actor, params.hostname, params.new_hostname).catch((error: unknown) => {
          throw renameFailed(error)
        })
        return wrapped(dialect, { status: 'ok' as const, message: 'Device has been renamed' })
      },
      {
        ...operation({ id: 'rename_device', gate: 'Device.update', summary: 'Renames a device' }),
        params: DeviceModel.renameParams,
        response: { 200: DeviceModel.updated, ...refusals('unusable', 'not_found', 'conflict') },
      },
    )
    .get(
      '/:hostname/discover',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        const status = await devices.requestDiscovery(device_id)
        return { status: 'ok' as const, result: { status, message: 'Device will be rediscovered' }, count: 2 }
      },
      {
        ...operation({
          id: 'discover_device',
          route: 'trigger_device_discovery',
          gate: 'Device.viewAny',
          summary: 'Schedules a discovery of a device',
          starts: true,
        }),
        params: DeviceModel.hostname,
        response: { 200: DeviceModel.discovered, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/:hostname/availability',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        const availability = (await devices.availability(device_id)).map(({ spanS, ...record }) => record)
        return { status: 'ok' as const, availability, count: availability.length }
      },
      {
        ...operation({
          id: 'availability',
          route: 'device_availability',
          gate: 'Device.viewAny',
          summary: 'Availability of a device',
        }),
        params: DeviceModel.hostname,
        response: { 200: DeviceModel.availability, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/:hostname/outages',
      async ({ actor, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname)
        const outages = await devices.outages(device_id)
        return { status: 'ok' as const, outages, count: outages.length }
      },
      {
        ...operation({
          id: 'outages',
          route: 'device_outages',
          gate: 'Device.viewAny',
          summary: 'Outages of a device',
        }),
        params: DeviceModel.hostname,
        response: { 200: DeviceModel.outages, 403: ErrorModel, 404: ErrorModel },
      },
    )

const NOT_RENAMED = 'Device failed to be renamed'

/** Maps refusals of the service to the messages of rename_device; other errors are unchanged. */
function renameFailed(thrown: unknown): unknown {
  if (isNotFound(thrown)) return notFound('Existing device not found')
  if (!(thrown instanceof DomainError)) return thrown
  if (thrown.code === 'conflict') return conflict(NOT_RENAMED, thrown)
  return thrown.code === 'invalid' ? unusable(NOT_RENAMED, thrown) : thrown
}
