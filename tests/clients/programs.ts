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

/** A script of `python/` with a PyPI package in its own environment; null, with a warning, if that fails. */
export async function pythonProgram(requirement: string, script: string): Promise<ClientProgram | null> {
  const python = Bun.which('python3')
  if (python === null) return skipped(requirement, 'python3 is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'portlight-python-'))
  const interpreter = join(folder, 'bin', 'python')
  const pip = [interpreter, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-input']
  try {
    await output([python, '-m', 'venv', folder], RUN_MS)
    await output([...pip, '--retries', '1', '--timeout', '10', requirement], RUN_MS)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    return skipped(requirement, String(error))
  }
  const path = join(import.meta.dir, 'python', script)
  return {
    run: (args) => output([interpreter, path, ...args], RUN_MS),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
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
      await output([go, 'mod', 'edit', `-replace=github.com/jokelyo/go-librenms=${copy}`], RUN_MS, folder)
    await output([go, 'build', '-mod=mod', '-o', 'calls', '.'], 3 * RUN_MS, folder)
  } catch (error) {
    remove()
    if (copy !== undefined) throw error
    return skipped(what, String(error))
  }
  return { run: (args) => output([join(folder, 'calls'), ...args], RUN_MS), remove }
}

function skipped(what: string, reason: string): null {
  console.warn(`SKIPPED: ${what}: ${reason}`)
  return null
}

/** Standard output of a command. Throws with all of its output if it fails or takes too long. */
async function output(command: readonly string[], timeoutMs: number, cwd: string = tmpdir()): Promise<string> {
  const child = Bun.spawn([...command], { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', timeout: timeoutMs })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}: ${(out + err).trim().slice(-4000)}`)
  return out
}
