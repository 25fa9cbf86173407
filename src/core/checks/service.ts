import { type Actor, isAdmin, scopeOf } from '../base/actor.ts'
import { absent, forbidden, invalid, unusable } from '../base/errors.ts'
import { isWithinGrants, requireGrants } from '../base/grants-check.ts'
import type { GraphOptions, GraphOutcome } from '../base/graphs.ts'
import { toStoreError } from '../database/errors.ts'
import { createCheckList } from './check-list.ts'
import { examineServices } from './examine.ts'
import { serviceColumns } from './fields.ts'
import { DECIDING, type HostServiceDeps, NOT_ITS_ADDRESS, problemOf } from './problem.ts'
import {
  deviceAddress,
  findHostService,
  isDeviceAddress,
  listHostServices,
  type ServiceFilter,
  type ServiceRow,
  serviceDataset,
} from './read.ts'
import { pluginFolders, serviceTypes } from './types.ts'
import { deleteHostService, insertHostService, updateHostService } from './write.ts'

export type { ServiceRow }

/** A request of add_service_for_host; undefined members were not sent. */
export interface NewHostService {
  readonly type: string | undefined
  /** Absent: the device's own address. */
  readonly ip: string | undefined
  readonly desc: string | undefined
  readonly param: string | undefined
  readonly name: string | undefined
  readonly ignore: 0 | 1
  readonly disabled: 0 | 1
}

/** State of a service before its first check. */
const NOT_CHECKED = { service_status: 3, service_message: 'Service not yet checked', service_ds: '{}' } as const

/** Operations on services of devices (HTTP, SSH, ...). Lists are limited to what the actor may see. */
export function createHostServiceService(deps: HostServiceDeps) {
  const { store, settings, graphs } = deps

  return {
    ...createCheckList({ store, settings }),

    /** Services in order of address. `state` excludes disabled and ignored ones. */
    async list(actor: Actor, filter: ServiceFilter): Promise<ServiceRow[]> {
      return await listHostServices(store, scopeOf(actor), filter)
    },

    /**
     * Stores a service, as unchecked, and returns its id. Throws `invalid` for an unknown type, an invalid address or
     * parameters that no check accepts; `forbidden` for what only administrators may check. `judged` false: address and
     * parameters are stored as they are.
     */
    async add(actor: Actor, deviceId: number, service: NewHostService, judged = true): Promise<number> {
      const { type } = service
      if (type === undefined) throw invalid('Required fields missing (hostname and type needed)')
      const types = await serviceTypes(pluginFolders(settings))
      if (!types.includes(type)) {
        throw invalid(`The service ${type} does not exist.\n Available service types: ${types.join(', ')}`)
      }
      const planned = {
        device_id: deviceId,
        service_type: type,
        service_ip: service.ip ?? null,
        service_param: service.param ?? null,
      }
      const problem = await problemOf(deps, actor, planned, judged)
      if (problem?.kind === 'forbidden') throw forbidden(problem.reason)
      if (problem !== null) throw invalid(problem.reason)
      const row = {
        device_id: deviceId,
        service_ip: service.ip ?? (await deviceAddress(store, deviceId)),
        service_type: type,
        service_desc: service.desc ?? null,
        service_param: service.param ?? null,
        service_name: service.name ?? null,
        service_ignore: service.ignore,
        service_disabled: service.disabled,
        service_changed: Math.floor(Date.now() / 1000),
        ...NOT_CHECKED,
      }
      return await insertHostService(store, row, actor.username)
    },

    /**
     * Changes columns; `device_id` moves the service to another device. Throws `absent` when the service or device does
     * not exist, `unusable` for an unknown column, a value that does not fit, parameters that no check accepts or no
     * change at all, `forbidden` for a device that is not granted and for what only administrators may check. `judged`
     * as in `add`.
     */
    async update(actor: Actor, ref: string, body: Readonly<Record<string, unknown>>, judged = true): Promise<void> {
      const message = `Failed to update the service with id ${ref}`
      const id = serviceId(ref)
      if (id === null) throw absent(message)
      const values = serviceColumns(body)
      if (values === null) throw unusable(message)
      if (!(await isWithinGrants(store, actor, { services: [id] }))) throw absent(message)
      await requireGrants(store, actor, { devices: values.device_id === undefined ? [] : [values.device_id] })
      const before = await findHostService(store, id)
      if (before === null) throw absent(message)
      if (DECIDING.some((column) => values[column] !== undefined && values[column] !== before[column])) {
        const problem = await problemOf(
          deps,
          actor,
          {
            device_id: values.device_id ?? before.device_id,
            service_type: values.service_type ?? before.service_type,
            service_ip: values.service_ip === undefined ? before.service_ip : values.service_ip,
            service_param: values.service_param === undefined ? before.service_param : values.service_param,
          },
          judged,
        )
        if (problem?.kind === 'forbidden') throw forbidden(problem.reason)
        if (problem !== null) throw unusable(`${message}: ${problem.reason}`)
      } else if (values.device_id !== undefined && values.device_id !== before.device_id && !isAdmin(actor)) {
        // the service keeps its address when it is moved
        const address = values.service_ip ?? before.service_ip
        if (address && !(await isDeviceAddress(store, values.device_id, address))) throw forbidden(NOT_ITS_ADDRESS)
      }
      const outcome = await updateHostService(store, id, values, actor.username).catch((error: unknown) => {
        // the device does not exist
        throw toStoreError(error).code === '23503' ? absent(message, error) : error
      })
      if (outcome === 'absent') throw absent(message)
      if (outcome === 'same') throw unusable(message)
    },

    /** Throws `absent` when there is no such service. */
    async delete(actor: Actor, ref: string): Promise<void> {
      const id = serviceId(ref)
      const mayDelete = id !== null && (await isWithinGrants(store, actor, { services: [id] }))
      if (!mayDelete || !(await deleteHostService(store, id, actor.username))) {
        throw absent('Failed to delete the service')
      }
    },

    /** For `doctor`. */
    examine: () => examineServices(store, settings),

    /** Graph of a data set of a device's service. Callers check access to the device. */
    async graph(
      of: { readonly deviceId: number; readonly serviceId: number; readonly ds: string },
      options: GraphOptions,
    ): Promise<GraphOutcome> {
      const dataset = await serviceDataset(store, of)
      if (dataset === null) return { kind: 'no-data' }
      const unit = unitOf(dataset.service_ds, of.ds)
      const subject = { deviceId: of.deviceId, datasetId: dataset.service_dataset_id, label: of.ds, unit }
      return await graphs.service(subject, options)
    },
  }
}

export type HostServiceService = ReturnType<typeof createHostServiceService>

function serviceId(ref: string): number | null {
  const id = /^\d{1,10}$/.test(ref) ? Number(ref) : 0
  return id >= 1 && id <= 2_147_483_647 ? id : null
}

/** The unit of a data set in `service_ds`: its value, or that value's member `unit`; '' if there is none. */
function unitOf(serviceDs: string | null, ds: string): string {
  try {
    const units: unknown = JSON.parse(serviceDs ?? '')
    const unit = typeof units === 'object' && units !== null ? (units as Record<string, unknown>)[ds] : ''
    if (typeof unit === 'string') return unit
    const inner = typeof unit === 'object' && unit !== null ? (unit as Record<string, unknown>)['unit'] : ''
    return typeof inner === 'string' ? inner : ''
  } catch {
    return '' // written by a client, may be invalid
  }
}
