import type { Settings } from '../../config/schema.ts'
import { readSecretKeys } from '../../config/secret-keys.ts'
import { useSecretKeys } from './ring.ts'

/**
 * Loads the keys that encrypt secrets at rest, as named in the settings, for all stores of this thread. Throws
 * ConfigError, or SecretKeyError when a file does not contain a key.
 */
export function loadSecretKeys(settings: Settings): void {
  useSecretKeys(readSecretKeys(settings, process.env))
}
