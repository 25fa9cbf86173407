import { randomBytes } from 'node:crypto'
import { scramVerifier } from '../../lib/scram.ts'
import type { Store } from '../database/client.ts'
import { NODE_ROLE, writeNodeRole } from './write-role.ts'

/**
 * Gives other processes a role in the embedded database, with a new password; processes that use the old one need the
 * new URL. Returns the URL for their setting database_url, which includes the password. Throws StoreError.
 */
export async function nodeUrl(
  store: Store,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  await writeNodeRole(store, scramVerifier(password))
  return `postgres://${NODE_ROLE}:${password}@${host.includes(':') ? `[${host}]` : host}:${port}/portlight`
}
