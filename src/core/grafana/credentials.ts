import { randomBytes } from 'node:crypto'
import { scramVerifier } from '../../lib/scram.ts'
import type { Store } from '../database/client.ts'
import { writeReader } from './write.ts'

/** Address at which Grafana reaches the database. */
export interface DatabaseAddress {
  readonly host: string
  readonly port: number
  readonly database: string
  /** Parameters of the URL, such as `?sslmode=require`. */
  readonly parameters: string
}

/**
 * Creates the role, or gives it a new password; users of the old one need the new URL. Returns the URL, which includes
 * the password. Throws what `writeReader` throws.
 */
export async function grafanaCredentials(store: Store, role: string, address: DatabaseAddress): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  await writeReader(store, role, scramVerifier(password))
  const { host, port, database, parameters } = address
  const name = host.includes(':') ? `[${host}]` : host
  return `postgres://${role}:${password}@${name}:${port}/${encodeURIComponent(database)}${parameters}`
}
