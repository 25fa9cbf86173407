import type { Settings } from '../../config/schema.ts'
import { type Actor, isAdmin, scopeOf } from '../base/actor.ts'
import { absent, forbidden, invalid, unusable } from '../base/errors.ts'
import { isWithinGrants, requireGrants } from '../base/grants-check.ts'
import type { GraphOptions, GraphOutcome, Graphs } from '../base/graphs.ts'
import type { Store } from '../database/client.ts'
import { toStoreError } from '../database/errors.ts'
import { splitArguments } from './arguments.ts'
import { BUILTIN_TYPES } from './builtin.ts'
import { createServiceBoard } from './check-list.ts'
import { serviceColumns } from './fields.ts'
import { isHost, type PlannedService, planCheck } from './plan.ts'
import {
  deviceAddress,
  findHostService,
  isDeviceAddress,
  listHostServices,
  overdueServices,
  type ServiceFilter,
  type ServiceRow,
  serviceDataset,
} from './read.ts'
import { findPlugin, isServiceType, pluginFolders, serviceTypes } from './types.ts'
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

/** State of the services; see `examine`. */
export interface ServiceExamination {
  readonly enabled: number
  readonly refused: readonly { readonly id: number; readonly type: string; readonly reason: string }[]
  readonly overdue: number
}

interface Problem {
  readonly kind: 'invalid' | 'forbidden'
  readonly reason: string
}

/** Columns that determine what is checked, and how. */
const DECIDING = ['service_type', 'service_ip', 'service_param'] as const
type Deciding = Pick<ServiceRow, (typeof DECIDING)[number] | 'device_id'>

const NOT_ITS_ADDRESS = "Only administrators may check addresses other than the device's own"

/** State of a service before its first check. */
const NOT_CHECKED = { service_status: 3, service_message: 'Service not yet checked', service_ds: '{}' } as const

export interface HostServiceDeps {
  readonly store: Store
  readonly settings: Settings
  readonly graphs: Graphs
}

/** Operations on services of devices (HTTP, SSH, ...). Lists are limited to what the actor may see. */
export function createHostServiceService({ store, settings, graphs }: HostServiceDeps) {
  /**
   * The reason a service cannot be checked, or may not be by this actor; null: it may. Plugins can read files and
   * connect to any host, depending on their parameters, and an address may be reachable only from this server, so both
   * are left to administrators. `judged` false: whether a check accepts the parameters is left to the check.
   */
  async function problemOf(actor: Actor, service: Deciding, judged: boolean): Promise<Problem | null> {
    const { device_id, service_type: type, service_ip: address, service_param } = service
    const param = service_param ?? ''
    const program = await findPlugin(pluginFolders(settings), type)
    // the device's hostname is not validated here
    const planned: PlannedService = { type, address: address || 'localhost', param }
    const plan = planCheck(planned, { program, prefer: settings.get('services.prefer') })
    if (plan.kind === 'refused' && judged) {
      // a program that is not installed yet may accept any parameters
      const later = !BUILTIN_TYPES.includes(type) && isServiceType(type) && isHost(planned.address)
      if (!later || splitArguments(param).kind === 'refused') return { kind: 'invalid', reason: plan.reason }
    }
    if (isAdmin(actor)) return null
    if (plan.kind !== 'builtin') {
      return { kind: 'forbidden', reason: 'Only administrators may have Portlight run check programs' }
    }
    const own = !address || (await isDeviceAddress(store, device_id, address))
    return own ? null : { kind: 'forbidden', reason: NOT_ITS_ADDRESS }
  }

  return {
    ...createServiceBoard({ store, settings }),

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
      const problem = await problemOf(actor, planned, judged)
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

    /**
     * For `doctor`: number of enabled services, those that cannot be checked, and number not checked for two intervals.
     */
    async examine(): Promise<ServiceExamination> {
      const enabled = (await listHostServices(store, { kind: 'all' }, {})).filter((row) => row.service_disabled === 0)
      const refused: { id: number; type: string; reason: string }[] = []
      for (const row of enabled) {
        const { service_id: id, service_type: type, service_param } = row
        const program = await findPlugin(pluginFolders(settings), type)
        const planned = { type, address: row.service_ip || 'localhost', param: service_param ?? '' }
        const plan = planCheck(planned, { program, prefer: settings.get('services.prefer') })
        if (plan.kind === 'refused') refused.push({ id, type, reason: plan.reason })
      }
      const overdue = await overdueServices(
        store,
        2 * settings.get('services.interval') + settings.get('services.timeout'),
      )
      return { enabled: enabled.length, refused, overdue }
    },

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
