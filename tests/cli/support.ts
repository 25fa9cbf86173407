import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const projectDir = join(import.meta.dir, '..', '..')

export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the program as a process of its own. Variables of the test's environment that are settings are left out. */
export async function portlight(
  args: readonly string[],
  options: { env?: Record<string, string>; input?: string; cwd?: string } = {},
): Promise<Outcome> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(PORTLIGHT_|DATABASE_URL$|BUN_TEST|FORCE_COLOR)/.test(name),
  )
  const child = Bun.spawn([process.execPath, '--no-env-file', join(projectDir, 'src', 'main.ts'), ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { ...Object.fromEntries(inherited), ...options.env },
    stdin: new Blob([options.input ?? '']),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

/** A folder that goes with the test file, and that the database's user may enter. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'portlight-cli-'))
  chmodSync(path, 0o755)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
