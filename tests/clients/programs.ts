import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A client program, ready to run. */
export interface ClientProgram {
  /** Runs it and returns its output; throws with all of its output if it fails. */
  run(args: readonly string[]): Promise<string>
  /** Removes the files created for it. */
  remove(): void
}

/** Time limit for a program to talk to the server. */
const RUN_MS = 60_000

/** A Python environment of its own. */
interface PythonEnvironment {
  readonly folder: string
  /** Where its programs are. */
  readonly bin: string
  remove(): void
}

/** An environment with what pip installs for these arguments; null, with a warning that names `what`, if it cannot. */
export async function pythonEnvironment(what: string, install: readonly string[]): Promise<PythonEnvironment | null> {
  const python = Bun.which('python3')
  if (python === null) return skipped(what, 'python3 is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'portlight-python-'))
  const bin = join(folder, 'bin')
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const own = join(bin, 'python')
  // the modules are imported once, so compiling all of them beforehand would take longer
  const args = ['install', '--quiet', '--disable-pip-version-check', '--no-input', '--no-compile']
  try {
    await output([python, '-m', 'venv', '--without-pip', folder], { timeoutMs: RUN_MS })
    const pip = await pipFor(python, own)
    await output([...pip, ...args, '--retries', '1', '--timeout', '10', ...install], { timeoutMs: 3 * RUN_MS })
  } catch (error) {
    remove()
    return skipped(what, String(error))
  }
  return { folder, bin, remove }
}

/** The system's pip working in an environment; its own if the system's is missing or cannot, installed for that. */
async function pipFor(python: string, own: string): Promise<readonly string[]> {
  const shared = [python, '-m', 'pip', '--python', own]
  if (Bun.spawnSync([...shared, '--version'], { stdout: 'ignore', stderr: 'ignore' }).success) return shared
  await output([own, '-m', 'ensurepip', '--default-pip'], { timeoutMs: RUN_MS })
  return [own, '-m', 'pip']
}

/** A script of `python/` with a PyPI package in its own environment; null, with a warning, if that fails. */
export async function pythonProgram(requirement: string, script: string): Promise<ClientProgram | null> {
  const environment = await pythonEnvironment(requirement, [requirement])
  if (environment === null) return null
  const { bin, remove } = environment
  const path = join(import.meta.dir, 'python', script)
  return { run: (args) => output([join(bin, 'python'), path, ...args], { timeoutMs: RUN_MS }), remove }
}

/**
 * The program in `go/`, built with the module named in its go.mod, or with a copy of that module in the folder
 * `GO_LIBRENMS_DIR`; null, with a warning, if that fails.
 */
export async function goProgram(): Promise<ClientProgram | null> {
  const what = 'go-librenms'
  const go = Bun.which('go', { PATH: `${process.env['PATH'] ?? ''}:/usr/local/go/bin` })
  if (go === null) return skipped(what, 'go is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'portlight-go-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const copy = process.env['GO_LIBRENMS_DIR']
  try {
    cpSync(join(import.meta.dir, 'go'), folder, { recursive: true })
    if (copy !== undefined)
      await output([go, 'mod', 'edit', `-replace=github.com/jokelyo/go-librenms=${copy}`], {
        timeoutMs: RUN_MS,
        cwd: folder,
      })
    await output([go, 'build', '-mod=mod', '-o', 'calls', '.'], { timeoutMs: 3 * RUN_MS, cwd: folder })
  } catch (error) {
    remove()
    if (copy !== undefined) throw error
    return skipped(what, String(error))
  }
  return { run: (args) => output([join(folder, 'calls'), ...args], { timeoutMs: RUN_MS }), remove }
}

function skipped(what: string, reason: string): null {
  console.warn(`SKIPPED: ${what}: ${reason}`)
  return null
}

interface RunOptions {
  readonly timeoutMs: number
  readonly cwd?: string
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Return the output even if it fails. */
  readonly mayFail?: boolean
}

/** Standard output of a command. Throws with all of its output if it fails or takes too long. */
export async function output(
  command: readonly string[],
  { timeoutMs, cwd = tmpdir(), env = {}, mayFail = false }: RunOptions,
): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: timeoutMs,
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0 && !mayFail) throw new Error(`${command[0]} ended with ${code}: ${(out + err).trim().slice(-4000)}`)
  return out
}
