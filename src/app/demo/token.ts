import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO_TOKEN_FILE } from '../../cli/app.ts'
import type { Services } from '../../core/services.ts'

/**
 * The token that `serve --demo` prints. It belongs to a read-only user, is created once and kept in the data folder. Null
 * if the API listens beyond loopback: a token printed at every start must not be usable over the network.
 */
export async function demoToken(
  demo: Pick<Services['demo'], 'holdsToken' | 'createToken'>,
  dataDir: string,
  listen: string,
): Promise<string | null> {
  if (!isLoopback(listen)) return null
  const file = join(dataDir, DEMO_TOKEN_FILE)
  const kept = read(file)
  if (kept !== null && (await demo.holdsToken(kept))) return kept
  const token = await demo.createToken()
  const fresh = `${file}.${process.pid}`
  rmSync(fresh, { force: true })
  writeFileSync(fresh, `${token}\n`, { mode: 0o600, flag: 'wx' })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
  return token
}

/** Null: the file is missing or does not hold a token. */
function read(file: string): string | null {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return /^[0-9a-f]{32}$/.test(text) ? text : null
  } catch {
    return null
  }
}

function isLoopback(listen: string): boolean {
  return /^127(\.\d{1,3}){3}$/.test(listen) || listen === '::1' || listen === 'localhost'
}
