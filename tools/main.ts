import { Command } from 'commander'
import { runProgram } from '../src/cli/run.ts'
import { registerBench } from './bench/main.ts'
import { registerCoverage } from './coverage/main.ts'
import { registerTest } from './test/main.ts'

// The commands of a checkout, `./portlight test`, `bench` and `coverage`: the launcher starts them here, so that the
// program that is shipped has none of them.
const program = new Command('portlight')
  .description('Commands for working on Portlight itself.')
  .showSuggestionAfterError()
registerTest(program)
registerBench(program)
registerCoverage(program)
process.exit(await runProgram(program, process.argv.slice(2)))
