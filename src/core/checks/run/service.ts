import type { SnmpTarget } from '@portlight/snmp/target.ts'
import { type CheckPlan, planCheck } from '../plan.ts'
import type { CheckedService } from '../write-results.ts'
import type { CheckStatus } from './result.ts'
import type { ServiceState } from './state.ts'

/** The address of a service: its own, else that of the device. */
export function addressOf({ service_ip, overwrite_ip, hostname }: CheckedService): string {
  return service_ip || overwrite_ip || hostname
}

/** Whether the service is checked: neither it nor its device is disabled. */
export function isChecked({ service_disabled, device_disabled }: CheckedService): boolean {
  return service_disabled === 0 && device_disabled === 0
}

/** How the service is checked. `program`: path of the plugin `check_TYPE`; null: there is none. */
export function planOf(service: CheckedService, program: string | null, prefer: 'builtin' | 'plugin'): CheckPlan {
  const of = { type: service.service_type, address: addressOf(service), param: service.service_param ?? '' }
  return planCheck(of, { prefer, program })
}

/** The device's SNMP agent, its address not yet resolved; null: the check does not use SNMP. */
export function agentOf(service: CheckedService, plan: CheckPlan): SnmpTarget | null {
  if (plan.kind !== 'builtin' || plan.probe.kind !== 'snmp') return null
  const { port, snmpver, community, authlevel, authname, authpass, authalgo, cryptopass, cryptoalgo } = service
  const unreadable = service.unreadable ? { unreadable: true } : {}
  const secrets = { ...unreadable, community, authlevel, authname, authpass, authalgo, cryptopass, cryptoalgo }
  return { address: plan.address, transport: 'udp', timeout: null, retries: null, port, snmpver, ...secrets }
}

/** The state as it is stored. */
export function storedState(service: CheckedService): ServiceState {
  const { service_status, service_changed, service_message, attempt } = service
  return {
    status: service_status >= 0 && service_status <= 3 ? (service_status as CheckStatus) : 3,
    changed: service_changed,
    message: service_message ?? '',
    attempt: attempt ?? 0,
    // a state stored by another program counts as a result, except unknown
    checked: attempt !== null || service_status !== 3,
  }
}

/** The name of the service for messages. */
export function nameOf({ service_name, service_desc, service_type }: CheckedService): string {
  const own = service_name || service_desc
  return own ? `${service_type} (${own})` : service_type
}
