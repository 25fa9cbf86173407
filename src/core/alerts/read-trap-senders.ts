import type { Store } from '../database/client.ts'

/** The engine id of this installation as a sender of traps, hexadecimal; set to `fresh` by the first call. */
export async function ownSender({ sql }: Store, fresh: string): Promise<string> {
  await sql`insert into trap_senders (engine_id, own) values (${fresh}, true) on conflict do nothing`
  const [row] = await sql<{ engine_id: string }[]>`select engine_id from trap_senders where own`
  return row?.engine_id ?? fresh
}

/**
 * snmpEngineBoots for a process that sends as this engine: `held` if no other process has used the engine since,
 * otherwise one more than the stored value. `held` null: the process has not sent yet.
 */
export async function bootSender({ sql }: Store, engineId: string, held: number | null): Promise<number> {
  const [row] = await sql<{ boots: number }[]>`
      insert into trap_senders as s (engine_id, boots) values (${engineId}, 1)
      on conflict (engine_id) do update set boots = least(s.boots::bigint + 1, 2147483647)
        where s.boots is distinct from ${held}
      returning boots`
  return row?.boots ?? held ?? 1
}
