import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Platform, thisPlatform } from './platforms.ts'
import { run } from './process.ts'

/**
 * Entry points, by the path at which the code that starts a worker looks for it after everything was bundled into
 * files at the root: `./worker/main.ts` in src/poller/pool-seat.ts, `./worker.ts` in src/demo/demo.ts, `./check-worker.ts`
 * in src/core/checks/run/pool.ts, `./listener-worker.ts` in src/core/logs/receive/listeners.ts, `./watchdog-worker.ts` in
 * src/observe/watchdog.ts, `./scan-worker.ts` in src/scanner/scanner.ts.
 */
export const ENTRIES = {
  'main.ts': 'src/main.ts',
  'worker/main.ts': 'src/poller/worker/main.ts',
  'worker.ts': 'src/demo/worker.ts',
  'check-worker.ts': 'src/core/checks/run/check-worker.ts',
  'listener-worker.ts': 'src/core/logs/receive/listener-worker.ts',
  'watchdog-worker.ts': 'src/observe/watchdog-worker.ts',
  'scan-worker.ts': 'src/scanner/scan-worker.ts',
}

/** The program's sources, apart from packages. */
const SOURCES = [
  'src',
  'packages',
  'db',
  'docs',
  'CHANGELOG.md',
  'deploy/portlight.service',
  'deploy/portlight-backup.service',
  'deploy/portlight-backup.timer',
  'patches',
  'package.json',
  'bun.lock',
  'bunfig.toml',
  'tsconfig.json',
]

/** A copy of the sources with the packages for one platform. */
export interface Stage {
  readonly folder: string
  /** Entry points, the program's first, relative to the folder. */
  readonly entries: readonly string[]
  /** The platform's Bun executable. */
  readonly runtime: string
}

/**
 * Copies the sources to `folder` and installs the platform's packages there, as locked by bun.lock and by
 * runtimes/bun.lock. Installed packages are never used in place, because their path would become part of the program.
 * For this machine's platform they are copied if there is no network, which takes longer.
 */
export async function stage(root: string, folder: string, platform: Platform): Promise<Stage> {
  for (const source of SOURCES) cpSync(join(root, source), join(folder, source), { recursive: true })
  const entries = Object.entries(ENTRIES).map(([name, source]) => {
    const path = join('entries', name)
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    writeFileSync(join(folder, path), `import '${relative(dirname(path), source)}'\n`)
    return path
  })
  const here = platform.name === thisPlatform()?.name
  await install(folder, platform).catch((error: unknown) => {
    if (!here) throw error
    const from = join(root, 'node_modules')
    const filter = (path: string): boolean => path !== join(from, '.portlight')
    cpSync(from, join(folder, 'node_modules'), { recursive: true, filter })
  })
  return { folder, entries, runtime: here ? process.execPath : await runtime(folder, platform) }
}

async function install(folder: string, { cpu }: Platform): Promise<void> {
  const where = ['--os', 'linux', '--cpu', cpu, '--libc', 'glibc']
  await run([process.execPath, 'install', '--frozen-lockfile', '--production', '--ignore-scripts', ...where], folder)
}

async function runtime(folder: string, platform: Platform): Promise<string> {
  const place = join(folder, 'runtimes')
  cpSync(join(import.meta.dir, 'runtimes'), place, { recursive: true })
  await install(place, platform)
  const path = join(place, 'node_modules', platform.runtime, 'bin', 'bun')
  if (!existsSync(path)) throw new Error(`${platform.runtime} has no bin/bun`)
  return path
}
