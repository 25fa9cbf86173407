import { existsSync, mkdirSync, renameSync } from 'node:fs'

/** How long test processes wait for another one to make the folder that they copy. */
const SEED_MS = 120_000

/**
 * Copies a data folder of a server into `folder`. The first process of a run (`./portlight test` names the place) makes
 * it: a copy takes a fraction of the time. Returns false, and does nothing, outside of such a run.
 */
export async function copySeed(name: string, folder: string, make: (fresh: string) => Promise<void>): Promise<boolean> {
  const place = process.env['PORTLIGHT_TEST_SEED']
  if (place === undefined) return false
  const seed = `${place}-${name}`
  if (!existsSync(seed) && isFirst(`${seed}.making`)) {
    const fresh = `${seed}.new`
    mkdirSync(fresh, { mode: 0o755 })
    await make(fresh)
    renameSync(fresh, seed)
  }
  for (const until = Date.now() + SEED_MS; !existsSync(seed); await Bun.sleep(50)) if (Date.now() > until) return false
  return Bun.spawnSync(['cp', '-a', `${seed}/.`, folder]).success
}

function isFirst(mark: string): boolean {
  try {
    mkdirSync(mark)
    return true
  } catch {
    return false
  }
}
