import type { Settings } from '../../config/schema.ts'
import type { Store } from '../../store/client.ts'
import { toStoreError } from '../../store/errors.ts'
import {
  deviceAddress,
  listHostServices,
  type ServiceFilter,
  type ServiceRecord,
  serviceDataset,
} from '../../store/readers/host-services.ts'
import { deleteHostService, insertHostService, updateHostService } from '../../store/writers/host-services.ts'
import { type Actor, scopeOf } from '../actor.ts'
import { failed, invalid } from '../errors.ts'
import type { GraphOptions, GraphOutcome, Graphs } from '../graphs.ts'
import { serviceColumns } from './fields.ts'
import { serviceTypes } from './types.ts'

export type { ServiceRecord }

/** What add_service_for_host gives of a service; absent: not said. */
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

/** Of a service that no check has looked at yet. */
const NOT_CHECKED = { service_status: 3, service_message: 'Service not yet checked', service_ds: '{}' } as const

export interface HostServiceDeps {
  readonly store: Store
  readonly settings: Settings
  readonly graphs: Graphs
}

/** The verbs on services of devices: what is checked there (HTTP, SSH, ...). Lists hold what the actor may see. */
export function createHostServiceService({ store, settings, graphs }: HostServiceDeps) {
  return {
    /** Services by address. `state` leaves out disabled and ignored ones. */
    async list(actor: Actor, filter: ServiceFilter): Promise<ServiceRecord[]> {
      return await listHostServices(store, scopeOf(actor), filter)
    },

    /** Stores a service that waits for its first check; returns its id. Throws `invalid` for a type that does not exist. */
    async add(actor: Actor, deviceId: number, service: NewHostService): Promise<number> {
      const { type } = service
      if (type === undefined) throw invalid('Required fields missing (hostname and type needed)')
      const types = await serviceTypes(settings.get('nagios_plugins'))
      if (!types.includes(type)) {
        throw invalid(`The service ${type} does not exist.\n Available service types: ${types.join(', ')}`)
      }
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

    /** Changes columns. Throws `failed` when there is no such service or column, a value does not fit, or nothing changes. */
    async update(actor: Actor, ref: string, body: Readonly<Record<string, unknown>>): Promise<void> {
      const refusal = failed(`Failed to update the service with id ${ref}`)
      const id = serviceId(ref)
      const values = serviceColumns(body)
      if (id === null || values === null) throw refusal
      try {
        if (!(await updateHostService(store, id, values, actor.username))) throw refusal
      } catch (error) {
        // a device that does not exist
        throw toStoreError(error).code === '23503' ? refusal : error
      }
    },

    /** Throws `failed` when there is no such service. */
    async delete(actor: Actor, ref: string): Promise<void> {
      const id = serviceId(ref)
      if (id === null || !(await deleteHostService(store, id, actor.username))) {
        throw failed('Failed to delete the service')
      }
    },

    /** Graph of a data set of a service of the device. The caller has checked access to the device. */
    async graph(
      of: { readonly deviceId: number; readonly serviceId: number; readonly ds: string },
      options: GraphOptions,
    ): Promise<GraphOutcome> {
      const dataset = await serviceDataset(store, of)
      if (dataset === null) return { kind: 'no-data' }
      const subject = { datasetId: dataset.service_dataset_id, label: of.ds, unit: unitOf(dataset.service_ds, of.ds) }
      return await graphs.service(subject, options)
    },
  }
}

export type HostServiceService = ReturnType<typeof createHostServiceService>

function serviceId(ref: string): number | null {
  const id = /^\d{1,10}$/.test(ref) ? Number(ref) : 0
  return id >= 1 && id <= 2_147_483_647 ? id : null
}

/** The unit that `service_ds` gives a data set: its value, or that value's member `unit`; '' when it gives none. */
function unitOf(serviceDs: string, ds: string): string {
  try {
    const units: unknown = JSON.parse(serviceDs)
    const unit = typeof units === 'object' && units !== null ? (units as Record<string, unknown>)[ds] : ''
    if (typeof unit === 'string') return unit
    const inner = typeof unit === 'object' && unit !== null ? (unit as Record<string, unknown>)['unit'] : ''
    return typeof inner === 'string' ? inner : ''
  } catch {
    return '' // written by a client, so it may be anything
  }
}
