import type { Store } from '../database/client.ts'

/** A key of 32 random bytes for signatures, made at its first use; the same in every process. */
export async function signingKey({ sql }: Store, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const made = crypto.getRandomValues(new Uint8Array(32))
  await sql`insert into signing_keys (name, key) values (${name}, ${made}) on conflict do nothing`
  const [row] = await sql<{ key: Uint8Array }[]>`select key from signing_keys where name = ${name}`
  return new Uint8Array(row?.key ?? made)
}
