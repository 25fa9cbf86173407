import { join } from 'node:path'
import { CliError } from '../../src/cli/errors.ts'
import { projectDir } from '../../src/cli/globals.ts'

/** Runs `bench/run.ts` of the checkout in a separate process, with names and their options; resolves to its exit code. */
export async function runBenches(args: readonly string[], json: boolean): Promise<number> {
  if (projectDir === null) throw new CliError('the benchmarks need the source: run this in a checkout')
  const script = join(projectDir, 'bench', 'run.ts')
  const child = Bun.spawn([process.execPath, '--no-env-file', script, ...(json ? ['--json'] : []), ...args], {
    cwd: projectDir,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  return await child.exited
}
