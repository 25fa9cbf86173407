import type { Actor } from '../base/actor.ts'
import { conflict, invalid } from '../base/errors.ts'
import type { Gateway } from '../base/gateway.ts'
import { requireGrants } from '../base/grants-check.ts'
import type { Store } from '../database/client.ts'
import type { DeviceService } from '../devices/service.ts'
import { type Addable, isAnswering } from './read-candidates.ts'
import { handOver, inTurn, setState } from './write-candidates.ts'

interface MoveDeps {
  readonly store: Store
  readonly gateway: Pick<Gateway, 'refresh'>
  readonly devices: Pick<DeviceService, 'update'>
}

/**
 * Moves a device to the address and poller group at which it was found as this candidate. Returns the device's id. Throws
 * `invalid` if the candidate is not a device that moved, `conflict` if the device answers at its own address again, and
 * what changing a device throws.
 */
export async function moveDevice({ store, gateway, devices }: MoveDeps, actor: Actor, candidate: Addable) {
  const { id, moved_from: deviceId, address, poller_group: group } = candidate
  if (deviceId === null || address === null) throw invalid(`Candidate ${id} is not known to be a device that moved`)
  await requireGrants(store, actor, { devices: [deviceId] })
  // it was down when the candidate was found; a host that only claims to be it must not replace a device that answers
  if (await isAnswering(store, deviceId))
    throw conflict(
      `Device ${deviceId} answers at its own address again, so it has not moved. What answers at ${address} says that it is the same device: check what it is`,
    )
  await devices.update(actor, String(deviceId), [
    ['overwrite_ip', address],
    ...(group > 0 ? [['poller_group', group] as const] : []),
  ])
  await inTurn(store, async (tx) => {
    await handOver(tx, id, deviceId)
    await setState({ sql: tx }, [id], 'added', `It is device ${deviceId}, which moved to ${address}`, deviceId)
  })
  gateway.refresh(deviceId)
  return deviceId
}
