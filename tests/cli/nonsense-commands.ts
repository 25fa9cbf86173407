import { existsSync } from 'node:fs'
import { buildProgram } from '../../src/cli/program.ts'
import { runProgram } from '../../src/cli/run.ts'

// Runs the command lines given on stdin, a JSON list each, in this process, one after the other; prints on stderr a line
// before each and its exit code after it. A process of its own, so that what commands print can be read.

const load = () => import('../../src/app/server.ts')
for (const line of (await Bun.stdin.text()).split('\n').filter(Boolean)) {
  const args = JSON.parse(line) as string[]
  process.exitCode = 0
  process.stderr.write(`\n#run ${line}\n`)
  const code = await runProgram(buildProgram(load), args)
  process.stderr.write(`\n#code ${code}\n`)
  if (!existsSync(process.cwd())) throw new Error('the folder is gone')
}
process.exit(0)
