import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { CliError } from '../errors.ts'
import type { Step } from './plan.ts'

/**
 * Runs the steps below `root`. `program` is the file to copy. Throws CliError with the output of a command that failed.
 * Steps can be repeated.
 */
export function applySteps(steps: readonly Step[], program: string, root: string, say: (line: string) => void): void {
  for (const step of steps) {
    if (step.kind === 'run') {
      say(`run     ${step.command.join(' ')}`)
      run(step.command)
      continue
    }
    const path = join(root, step.path)
    if (step.kind === 'remove') {
      if (!isThere(path)) continue
      say(`remove  ${path}`)
      rmSync(path)
      continue
    }
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 })
    if (step.kind === 'file' && step.keep && existsSync(path)) {
      say(`keep    ${path}`)
      continue
    }
    if (step.kind === 'copy' && existsSync(path) && realpathSync(path) === realpathSync(program)) continue
    say(`write   ${path}`)
    // Renamed into place, because the existing file may be running or be read at the same time.
    const fresh = `${path}.${process.pid}.new`
    rmSync(fresh, { force: true })
    if (step.kind === 'link') symlinkSync(step.to, fresh)
    else if (step.kind === 'copy') copyFileSync(program, fresh)
    else writeFileSync(fresh, step.text, { mode: 0o600 })
    if (step.kind !== 'link') chmodSync(fresh, step.mode)
    renameSync(fresh, path)
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function run(command: readonly string[]): void {
  const [name = ''] = command
  if (Bun.which(name) === null) throw new CliError(`${name} was not found; it comes with systemd`)
  const ran = Bun.spawnSync([...command], { stdin: 'ignore' })
  if (ran.success) return
  const said = `${ran.stderr}${ran.stdout}`.trim().replaceAll('\n', '; ')
  throw new CliError(`${command.join(' ')} failed: ${said || `exit code ${ran.exitCode}`}`)
}
