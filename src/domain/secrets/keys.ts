import type { Settings } from '../../config/schema.ts'
import { readSecretKeys } from '../../config/secret-keys.ts'
import { useSecretKeys } from '../../store/secrets/ring.ts'

/**
 * Reads the keys of secrets at rest that the settings name, for every store of this thread. Throws ConfigError, or
 * SecretKeyError when a file holds something else.
 */
export function loadSecretKeys(settings: Settings): void {
  useSecretKeys(readSecretKeys(settings, process.env))
}
