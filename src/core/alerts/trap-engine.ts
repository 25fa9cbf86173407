import type { Store } from '../database/client.ts'
import { bootSender, ownSender } from './read-trap-senders.ts'
import type { TrapEngine } from './transports/resolve.ts'

/** Prefix of an SnmpEngineID in format 5 (octets) without an enterprise number (RFC 3411 §5). */
const PREFIX = '8000000005'

/** snmpEngineID under which this installation sends traps, hexadecimal. It never changes. Throws StoreError. */
export async function ownEngineId(store: Store): Promise<string> {
  return await ownSender(store, PREFIX + crypto.getRandomValues(new Uint8Array(12)).toHex())
}

/**
 * The engines as which this process sends v3 traps. snmpEngineBoots is stored: a process that takes over an engine,
 * after a restart or from another process, increments it, so that receivers accept its traps as new (RFC 3414 §2.2).
 */
export function createTrapEngine(store: Store): TrapEngine {
  const engines = new Map<string, { readonly boots: number; readonly since: number }>()
  let own: string | null = null
  return async (engineId) => {
    own ??= engineId === '' ? await ownEngineId(store) : null
    const id = engineId === '' ? (own ?? '') : engineId
    const held = engines.get(id)
    const boots = await bootSender(store, id, held?.boots ?? null)
    const engine = held?.boots === boots ? held : { boots, since: performance.now() }
    engines.set(id, engine)
    return { id: Uint8Array.fromHex(id), boots, time: Math.floor((performance.now() - engine.since) / 1000) }
  }
}
