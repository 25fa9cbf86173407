import { notFound } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel, isSet, wrapped } from '../envelope.ts'
import { lookUpDevice } from '../lookup.ts'
import { presentDevice } from '../records/device.ts'
import { objectBody, presentDeviceGroup } from '../records/device-group.ts'
import { refusals } from '../statuses.ts'
import { GroupModel } from './model.ts'

const ONLY_STATIC = { status: 'error', message: 'Only static device group can have devices added' } as const

/** Device groups and their members. */
export const deviceGroupRoutes = ({ devices, deviceGroups }: Pick<Services, 'devices' | 'deviceGroups'>) =>
  new Elysia({ name: 'v0.device-groups' })
    .use(v0Context)
    .get(
      '/devices/:hostname/groups',
      async ({ actor, dialect, params }) => {
        const { device_id } = await lookUpDevice(devices, actor, params.hostname, 'Device not found')
        const found = await deviceGroups.ofDevice(actor, device_id)
        if (found.length === 0) throw notFound('No device groups found')
        const groups = found.map((group) => presentDeviceGroup(group, dialect, deviceGroups))
        const message = `Found ${groups.length} device groups`
        return wrapped(dialect, { status: 'ok' as const, message, groups, count: groups.length })
      },
      {
        ...operation({
          id: 'get_device_groups',
          route: 'get_device_groups_device',
          gate: 'Device.viewAny',
          summary: 'Groups of a device',
        }),
        params: GroupModel.hostname,
        response: { 200: GroupModel.list, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .get(
      '/devicegroups',
      async ({ actor, dialect }) => {
        const found = await deviceGroups.list(actor)
        if (found.length === 0) throw notFound('No device groups found')
        const groups = found.map((group) => presentDeviceGroup(group, dialect, deviceGroups))
        const message = `Found ${groups.length} device groups`
        return wrapped(dialect, { status: 'ok' as const, message, groups, count: groups.length })
      },
      {
        ...operation({
          id: 'get_devicegroups',
          route: 'get_device_groups',
          gate: 'DeviceGroup.viewAny',
          summary: 'Device groups',
        }),
        response: { 200: GroupModel.list, 404: ErrorModel },
      },
    )
    .post(
      '/devicegroups',
      async ({ actor, body, status }) => {
        const { id, name } = await deviceGroups.create(actor, objectBody(body))
        return status(201, { status: 'ok' as const, id, message: `Device group ${name} created` })
      },
      {
        ...operation({
          id: 'add_devicegroup',
          route: 'add_device_group',
          gate: 'DeviceGroup.create',
          summary: 'Creates a device group; a dynamic group contains the devices that its rules match',
        }),
        body: GroupModel.create,
        response: { 201: GroupModel.created, ...refusals('invalid', 'unusable', 'forbidden'), 422: ErrorModel },
      },
    )
    .get(
      '/devicegroups/:name',
      async ({ actor, dialect, params: { name }, query }) => {
        const group = await deviceGroups.find(actor, name)
        if (!group) throw notFound('Device group not found')
        const members = isSet(query.full)
          ? (await deviceGroups.records(actor, group)).map(presentDevice)
          : (await deviceGroups.members(actor, group)).map((device_id) => ({ device_id }))
        if (members.length === 0) throw notFound(`No devices found in group ${name}`)
        const message = `Found ${members.length} in group ${name}`
        return wrapped(dialect, { status: 'ok' as const, message, devices: members, count: members.length })
      },
      {
        ...operation({ id: 'get_devices_by_group', gate: 'DeviceGroup.viewAny', summary: 'Members of a device group' }),
        params: GroupModel.name,
        query: GroupModel.full,
        response: { 200: GroupModel.members, 404: ErrorModel },
      },
    )
    .patch(
      '/devicegroups/:name',
      async ({ actor, params: { name }, body }) => {
        await deviceGroups.update(actor, name, objectBody(body))
        return { status: 'ok' as const, message: `Device group ${name} updated` }
      },
      {
        ...operation({
          id: 'update_devicegroup',
          route: 'update_device_group',
          gate: 'DeviceGroup.update',
          summary: 'Changes a device group',
        }),
        params: GroupModel.name,
        body: GroupModel.update,
        response: {
          200: GroupModel.done,
          ...refusals('invalid', 'unusable', 'forbidden', 'not_found'),
          422: ErrorModel,
        },
      },
    )
    .delete(
      '/devicegroups/:name',
      async ({ actor, params: { name } }) => {
        await deviceGroups.delete(actor, name)
        return { status: 'ok' as const, message: `Device group ${name} deleted` }
      },
      {
        ...operation({
          id: 'delete_devicegroup',
          route: 'delete_device_group',
          gate: 'DeviceGroup.delete',
          summary: 'Deletes a device group but not its devices',
        }),
        params: GroupModel.name,
        response: { 200: GroupModel.done, 403: ErrorModel, 404: ErrorModel },
      },
    )
    .post(
      '/devicegroups/:name/devices',
      async ({ actor, params: { name }, body, status }) => {
        const outcome = await deviceGroups.add(actor, name, objectBody(body))
        return outcome === 'dynamic' ? status(422, ONLY_STATIC) : { status: 'ok' as const, message: 'Devices added' }
      },
      {
        ...operation({
          id: 'add_devices_to_group',
          route: 'update_device_group_add_devices',
          gate: 'DeviceGroup.update',
          summary: 'Adds devices to a static group',
        }),
        params: GroupModel.name,
        body: GroupModel.devices,
        response: { 200: GroupModel.done, 400: ErrorModel, 403: ErrorModel, 404: ErrorModel, 422: ErrorModel },
      },
    )
    .delete(
      '/devicegroups/:name/devices',
      async ({ actor, params: { name }, body, status }) => {
        const outcome = await deviceGroups.remove(actor, name, objectBody(body))
        return outcome === 'dynamic' ? status(422, ONLY_STATIC) : { status: 'ok' as const, message: 'Devices removed' }
      },
      {
        ...operation({
          id: 'remove_devices_from_group',
          route: 'update_device_group_remove_devices',
          gate: 'DeviceGroup.update',
          summary: 'Removes devices from a static group',
        }),
        params: GroupModel.name,
        body: GroupModel.devices,
        response: { 200: GroupModel.done, 400: ErrorModel, 403: ErrorModel, 404: ErrorModel, 422: ErrorModel },
      },
    )
