import type { TrapEngine } from '../../notify/resolve.ts'
import { bootSender, ownSender } from '../../store/alerts/trap-senders.ts'
import type { Store } from '../../store/client.ts'

/** Format 5 (octets) of RFC 3411's SnmpEngineID, with no enterprise. */
const PREFIX = '8000000005'

/** snmpEngineID of this installation as a sender of traps, hexadecimal. It never changes. Throws StoreError. */
export async function ownEngineId(store: Store): Promise<string> {
  return await ownSender(store, PREFIX + crypto.getRandomValues(new Uint8Array(12)).toHex())
}

/**
 * The engines that this process sends v3 traps as. Boots are stored: a process that takes over an engine, after a restart
 * or between two traps of another, begins a later boot, so that receivers take its traps for new (RFC 3414 §2.2).
 */
export function createTrapEngine(store: Store): TrapEngine {
  const engines = new Map<string, { readonly boots: number; readonly since: number }>()
  let own: string | null = null
  return async (wanted) => {
    own ??= wanted === '' ? await ownEngineId(store) : null
    const id = wanted === '' ? (own ?? '') : wanted
    const held = engines.get(id)
    const boots = await bootSender(store, id, held?.boots ?? null)
    const engine = held?.boots === boots ? held : { boots, since: performance.now() }
    engines.set(id, engine)
    return { id: Uint8Array.fromHex(id), boots, time: Math.floor((performance.now() - engine.since) / 1000) }
  }
}
