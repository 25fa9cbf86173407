import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateSiteKey, parsePrivateKey, privateText, type SiteKey, SiteKeyError } from '../../../../lib/site-keys.ts'

const KEY_FILE = 'poller-key.pem'
const EPOCH_FILE = 'poller-epoch'

/**
 * The key pair of the poller with this data folder, created at the first call. Only the owner can read the file. Throws
 * SiteKeyError if the file does not contain a key.
 */
export function pollerKey(folder: string): SiteKey {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, KEY_FILE)
  if (existsSync(path)) {
    chmodSync(path, 0o600)
    try {
      return parsePrivateKey(readFileSync(path, 'utf8'))
    } catch (error) {
      throw error instanceof SiteKeyError ? new SiteKeyError(`${path}: ${error.message}`) : error
    }
  }
  const key = generateSiteKey()
  // fails if another process has created it meanwhile
  writeFileSync(path, privateText(key), { mode: 0o600, flag: 'wx' })
  return key
}

/** The epoch of this start of the poller, in epoch ms; higher than all before even if the clock was set back. */
export function nextEpoch(folder: string): number {
  const path = join(folder, EPOCH_FILE)
  const last = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  const epoch = Math.max(Number.isSafeInteger(last) ? last + 1 : 0, Date.now())
  writeFileSync(`${path}.new`, String(epoch), { flush: true })
  renameSync(`${path}.new`, path)
  return epoch
}
