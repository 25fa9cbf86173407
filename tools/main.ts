import { Command } from 'commander'
import { addGlobalOptions } from '../src/cli/globals.ts'
import { runProgram } from '../src/cli/run.ts'
import { registerBench } from './bench/main.ts'
import { registerTest } from './test/main.ts'

// The commands of a checkout, `./portlight test` and `./portlight bench`: the launcher starts them here, so that the
// program that is shipped has none of them.
const program = new Command('portlight')
  .description('Commands for working on Portlight itself.')
  .showSuggestionAfterError()
addGlobalOptions(program)
registerTest(program)
registerBench(program)
process.exit(await runProgram(program, process.argv.slice(2)))
