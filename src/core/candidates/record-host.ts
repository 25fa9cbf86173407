import type { Settings } from '../../config/schema.ts'
import type { Gateway } from '../base/gateway.ts'
import type { Store } from '../database/client.ts'
import type { ObservedHost, RecordedHost } from './observed-host.ts'

/** Decides what becomes of a host. */
export async function recordHost(
  { store }: { readonly store: Store; readonly settings: Settings; readonly gateway: Gateway },
  host: ObservedHost,
): Promise<RecordedHost> {
  const { address } = host.lead
  const name = host.snmp?.identity.sysName ?? null
  const sysObjectId = host.snmp?.identity.sysObjectId ?? null
  const [device] = await store.sql<{ device_id: number; hostname: string }[]>`
      select device_id, hostname from devices where hostname = ${address} or ip = ${address} or overwrite_ip = ${address} limit 1`
  const base = { address, name, sysObjectId, candidateId: null, deviceId: device?.device_id ?? null }
  if (device !== undefined) return { ...base, state: 'known', why: `It is device ${device.hostname}.` }
  return { ...base, state: 'found', why: host.snmp === null ? 'Only ping answers.' : 'SNMP answers.' }
}
