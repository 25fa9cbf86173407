import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../src/observe/log.ts'
import { attachEmbedded } from '../../src/postgres/embedded.ts'
import { copyMigrated, copyServer } from '../support/database.ts'

export const projectDir = join(import.meta.dir, '..', '..')

export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

const START_MS = 60_000
const compiled = process.env['PORTLIGHT_TEST_PROGRAM']
/** How the program is started: as `./portlight test` compiled it, otherwise from its sources. */
export const command: readonly string[] =
  compiled === undefined ? [process.execPath, '--no-env-file', join(projectDir, 'src', 'main.ts')] : [compiled]

/** The environment without variables for settings. */
function environment(): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PORTLIGHT_|DATABASE_URL$|BUN_TEST|FORCE_COLOR)/.test(name),
  )
  return Object.fromEntries(inherited)
}

/** Runs the program, or another script, in a separate process, without the settings in the test's environment. */
export async function portlight(
  args: readonly string[],
  options: { env?: Record<string, string>; input?: string; cwd?: string; uid?: number; script?: string } = {},
): Promise<Outcome> {
  const start = options.script === undefined ? command : [process.execPath, '--no-env-file', options.script]
  const child = Bun.spawn([...start, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { ...environment(), ...options.env },
    stdin: new Blob([options.input ?? '']),
    stdout: 'pipe',
    stderr: 'pipe',
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

/** A server in a separate process, ready for requests. */
export interface Served {
  readonly process: Bun.Subprocess<'ignore', 'pipe'>
  readonly url: string
  /** Its stdout up to the startup message. */
  readonly greeting: string
}

/**
 * Starts `serve` on a free port, logging to file `log`; resolves when it prints the startup message. Throws with its
 * output if it ends before that or prints nothing for a minute.
 */
export async function startServe(
  dataDir: string,
  log: string,
  args: readonly string[] = [],
  through: readonly string[] = [],
): Promise<Served> {
  const child = spawnServe(dataDir, log, args, through)
  const reader = child.stdout.getReader()
  const decoder = new TextDecoder()
  const late = setTimeout(() => void reader.cancel(), START_MS)
  let greeting = ''
  while (!greeting.includes('Use it:')) {
    const { done, value } = await reader.read()
    if (done) {
      clearTimeout(late)
      child.kill('SIGTERM')
      throw new Error(`the server said only: ${greeting} ${readFileSync(log, 'utf8')}`)
    }
    greeting += decoder.decode(value, { stream: true })
  }
  clearTimeout(late)
  reader.releaseLock()
  return { process: child, url: /https?:\/\/\S+/.exec(greeting)?.[0] ?? '', greeting }
}

/**
 * Starts `serve` on a free port without waiting; its stderr goes to file `log`. `through`: a command that runs the
 * program given after its own arguments, such as `nice`.
 */
export function spawnServe(
  dataDir: string,
  log: string,
  args: readonly string[] = [],
  through: readonly string[] = [],
): Bun.Subprocess<'ignore', 'pipe', ReturnType<typeof Bun.file>> {
  return Bun.spawn([...through, ...command, 'serve', '--port', '0', '--data-dir', dataDir, ...args], {
    cwd: tmpdir(),
    env: environment(),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: Bun.file(log),
  })
}

/** A temporary folder for a test file, accessible to the user of the database server. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'portlight-cli-'))
  chmodSync(path, 0o755)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Creates the database of a data folder, empty as after `initdb`, and stops its server. */
export async function makeDatabase(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { mode: 0o755, recursive: true })
  await copyServer(dataDir)
  await (await attachEmbedded(dataDir, { log: createLog('silent') })).stop()
}

/** Creates a data folder with a migrated database, as after a first start, if a run of all tests has one to copy. */
export async function makeStarted(dataDir: string): Promise<void> {
  mkdirSync(dataDir, { mode: 0o755, recursive: true })
  await copyMigrated(dataDir)
}

/** A data folder whose database server runs until `remove`, so that commands need not start and stop it. */
export async function folderWithDatabase(): Promise<{ readonly dataDir: string; remove(): Promise<void> }> {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  mkdirSync(dataDir, { mode: 0o755 })
  await copyServer(dataDir)
  const server = await attachEmbedded(dataDir, { log: createLog('silent') })
  return {
    dataDir,
    async remove() {
      await server.stop()
      folder.remove()
    },
  }
}

/** Starts the program in a separate process that the test kills or waits for. */
export function spawnPortlight(
  args: readonly string[],
  stdout: 'ignore' | 'pipe' = 'ignore',
): Bun.Subprocess<'ignore', 'ignore' | 'pipe', 'pipe'> {
  return Bun.spawn([...command, ...args], {
    cwd: tmpdir(),
    env: environment(),
    stdin: 'ignore',
    stdout,
    stderr: 'pipe',
  })
}
