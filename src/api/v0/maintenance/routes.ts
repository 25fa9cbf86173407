import { invalid, notFound } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { lookUpDevice } from '../lookup.ts'
import { MaintenanceModel, maintenanceBody, maintenanceMessage, maintenanceRequest } from './requests.ts'

/** Maintenance windows of devices, device groups and locations. */
export const maintenanceRoutes = ({
  deviceGroups,
  devices,
  locations,
  maintenance,
}: Pick<Services, 'deviceGroups' | 'devices' | 'locations' | 'maintenance'>) =>
  new Elysia({ name: 'v0.maintenance' })
    .use(v0Context)
    .get(
      '/devices/:hostname/maintenance',
      async ({ actor, params }) => {
        const device = await devices.find(actor, params.hostname)
        const under = device !== null && (await maintenance.isUnder(device.device_id))
        return { status: 'ok' as const, is_under_maintenance: under }
      },
      {
        ...operation({
          id: 'device_under_maintenance',
          gate: 'Device.viewAny',
          summary: 'Whether a device is under maintenance now, directly or by a group or its location',
        }),
        params: MaintenanceModel.hostname,
        response: { 200: MaintenanceModel.state, 403: ErrorModel },
      },
    )
    .post(
      '/devices/:hostname/maintenance',
      async ({ actor, params: { hostname }, body, status }) => {
        const sent = maintenanceBody(body)
        if (!sent) throw invalid('No information has been provided to set this device into maintenance')
        const device = await lookUpDevice(devices, actor, hostname, `Device ${hostname} not found`)
        const request = maintenanceRequest(sent)
        const { display } = await devices.record(actor, device)
        const target = { kind: 'device' as const, id: device.device_id, name: String(display) || device.hostname }
        await maintenance.schedule(actor, target, request)
        const message = maintenanceMessage(`Device ${device.hostname} (${device.device_id})`, request)
        return status(201, { status: 'ok' as const, message })
      },
      {
        ...operation({ id: 'maintenance_device', gate: 'Device.update', summary: 'Puts a device under maintenance' }),
        params: MaintenanceModel.hostname,
        body: MaintenanceModel.body,
        response: { 201: MaintenanceModel.done, 400: ErrorModel, 404: ErrorModel },
      },
    )
    .post(
      '/devicegroups/:name/maintenance',
      async ({ actor, params: { name }, body, status }) => {
        const sent = maintenanceBody(body)
        // LibreNMS says "device" here too
        if (!sent) throw invalid('No information has been provided to set this device into maintenance')
        const group = await deviceGroups.find(actor, name)
        if (!group) throw notFound(`Device group ${name} not found`)
        const request = maintenanceRequest(sent)
        await maintenance.schedule(actor, { kind: 'device_group', id: group.id, name: group.name }, request)
        const message = maintenanceMessage(`Device group ${group.name} (${group.id})`, request)
        return status(201, { status: 'ok' as const, message })
      },
      {
        ...operation({
          id: 'maintenance_devicegroup',
          gate: 'DeviceGroup.update',
          summary: 'Puts the devices of a group under maintenance',
        }),
        params: MaintenanceModel.group,
        body: MaintenanceModel.body,
        response: { 201: MaintenanceModel.done, 400: ErrorModel, 404: ErrorModel },
      },
    )
    .post(
      '/locations/:location/maintenance',
      async ({ actor, params, body, status }) => {
        const sent = maintenanceBody(body)
        if (!sent) throw invalid('No information has been provided to set this location into maintenance')
        const request = maintenanceRequest(sent)
        const found = await locations.find(actor, params.location)
        if (!found) throw notFound(`Location ${params.location} does not exist`)
        await maintenance.schedule(actor, { kind: 'location', id: found.id, name: found.location }, request)
        const message = maintenanceMessage(`Location ${found.location} (${found.id})`, request)
        return status(201, { status: 'ok' as const, message })
      },
      {
        ...operation({
          id: 'maintenance_location',
          gate: 'Location.update',
          summary: 'Puts the devices at a location under maintenance',
        }),
        params: MaintenanceModel.location,
        body: MaintenanceModel.body,
        response: { 201: MaintenanceModel.done, 400: ErrorModel, 404: ErrorModel },
      },
    )
