import { type Actor, scopeOf } from '../base/actor.ts'
import { DomainError } from '../base/errors.ts'
import type { AgentIdentity } from '../base/gateway.ts'
import type { Store } from '../database/client.ts'
import { monitoredAs } from '../identity/new-device.ts'
import type { AddDeps, NewDevice, Transport } from './new-device.ts'
import { maySeeDevice } from './read.ts'
import { step } from './steps.ts'
import { type Found, targetOf } from './try-credentials.ts'

/** Reads what tells a new device from the monitored ones; null: it did not say, or that is known already. */
export async function readIdentity(
  { settings, gateway, report }: AddDeps,
  request: NewDevice,
  transport: Transport,
  { ip, credentials, answer }: Found,
): Promise<AgentIdentity | null> {
  if (ip === null || credentials === null || answer === null || request.identified === true) return null
  const target = targetOf(settings, request, transport, ip, credentials)
  return await step(report, 'MAC addresses, serial numbers and addresses', () => gateway.identify(target), identityText)
}

function identityText(said: AgentIdentity | null): { result: string; state: 'ok' | 'skipped' } {
  if (said === null) return { result: 'not read', state: 'skipped' }
  const { macs, serials, addresses } = said
  return { result: `${macs.length}, ${serials.length} and ${addresses.length}`, state: 'ok' }
}

/** Throws `conflict` if what was read says that it is a monitored device, found under another name or address. */
export async function requireOther(
  { store, settings }: AddDeps,
  actor: Actor,
  request: NewDevice,
  { ip, answer }: Found,
  said: AgentIdentity | null,
): Promise<void> {
  if (answer === null || request.identified === true) return
  const monitored = await monitoredAs(store.sql, {
    address: ip,
    pollerGroup: request.pollerGroup ?? 0,
    engineId: answer.snmpEngineID,
    sysName: answer.sysName,
    said,
    namesRepeat: settings.get('allow_duplicate_sysName'),
  })
  if (monitored === null) return
  const hostname = request.hostname.trim()
  const refusal = await inTheWay(store, actor, monitored.deviceId, `Cannot add ${hostname}, it ${monitored.text}`)
  if (refusal.deviceId !== null) throw refusal
  throw new DomainError('conflict', `Cannot add ${hostname}, it is a monitored device to which you have no access`)
}

/** The refusal because of a monitored device, with its id where the actor may see it. */
export async function inTheWay(store: Store, actor: Actor, deviceId: number, message: string): Promise<DomainError> {
  const isVisible = await maySeeDevice(store, scopeOf(actor), deviceId)
  return new DomainError('conflict', message, { deviceId: isVisible ? deviceId : null })
}
