import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from './errors.ts'
import type { Settings } from './schema.ts'

/** Variable that contains the keys themselves, one per line or comma-separated. */
export const KEYS_VARIABLE = 'PORTLIGHT_SECRETS_KEY'
/** Name of the credential that systemd passes (LoadCredential=, SetCredentialEncrypted=). */
const CREDENTIAL = 'portlight-secrets-key'

/** Keys that encrypt secrets in the database, and where they were found. */
export interface KeyText {
  readonly text: string
  /** For messages: a file's path or a variable's name. */
  readonly source: string
}

/**
 * Keys that encrypt secrets in the database: from PORTLIGHT_SECRETS_KEY, else the file in setting `secrets.key_file`,
 * else the systemd credential. Empty: secrets are stored in plain text. Throws ConfigError if a file cannot be read.
 */
export function readSecretKeys(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
): readonly KeyText[] {
  const own = env[KEYS_VARIABLE] ?? ''
  if (own !== '') return [{ text: own, source: KEYS_VARIABLE }]
  const file = settings.get('secrets.key_file')
  if (file !== '') return [{ text: read(file), source: file }]
  const folder = env['CREDENTIALS_DIRECTORY'] ?? ''
  if (folder === '') return []
  const credential = join(folder, CREDENTIAL)
  try {
    return [{ text: readFileSync(credential, 'utf8'), source: credential }]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw unreadable(credential, error)
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw unreadable(file, error)
  }
}

function unreadable(file: string, error: unknown): ConfigError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  return new ConfigError([{ source: file, name: 'secrets.key_file', message: `cannot be read (${code})` }])
}
