import { chmodSync, copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { checkout } from '../../src/cli/build-info.ts'
import { type Outcome, projectDir } from '../cli/support.ts'

const name = `portlight-${manifest.version}-${process.platform}-${process.arch}`
/** Everything that the build made, by the end of its name. */
export const built = (suffix: string): string => join(projectDir, 'dist', `${name}${suffix}`)

/** The program of one file that was built for this machine; null, said loudly, when there is none. */
export const program: string | null = existsSync(built('')) ? built('') : null
if (program === null)
  console.warn(`SKIPPED: the compiled program: there is no dist/${name}; build it with: bun run build`)

if (program !== null) warnIfOther(program)

/** Says so when the program is not of the checked out commit. */
function warnIfOther(path: string): void {
  const facts: unknown = JSON.parse(Bun.spawnSync([path, 'version', '--json']).stdout.toString())
  const commit = typeof facts === 'object' && facts !== null && 'commit' in facts ? facts.commit : null
  const here = checkout(projectDir)
  if (here.commit !== null && (commit !== here.commit || here.modified))
    console.warn(`dist/${name} is of commit ${commit}, not of what is here: build it again with: bun run build`)
}

export const asRoot = process.getuid?.() === 0

/** A copy of the program alone in a folder, where every user can run it. */
export function install(folder: string): string {
  const path = join(folder, 'portlight')
  copyFileSync(built(''), path)
  chmodSync(path, 0o755)
  return path
}

export interface RunOptions {
  readonly cwd?: string
  /** User and group to run as; default: our own. */
  readonly uid?: number
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the program with nothing in its environment but PATH, without Bun in it. */
export function spawn(path: string, args: readonly string[], options: RunOptions = {}) {
  const { uid, cwd = '/proc', env = {} } = options
  return Bun.spawn([path, ...args], {
    cwd,
    env: { PATH: '/usr/bin:/bin', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    ...(uid !== undefined && { uid, gid: uid }),
  })
}

/** Runs the program to its end. */
export async function run(path: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = spawn(path, args, options)
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}
