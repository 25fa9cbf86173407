import type { Command } from 'commander'
import type { TestOptions } from './run-tests.ts'

/** `portlight test`. */
export function registerTest(program: Command): void {
  program
    .command('test')
    .description('run the tests; the last line of output is "N passed, N failed"')
    .argument('[patterns...]', 'only test files whose path contains one of these')
    .option('--name <pattern>', 'only tests whose name matches this regular expression')
    .option('--verbose', 'also show the tests that pass')
    .option('--jobs <number>', 'test files to run in parallel (default: one for each core)')
    .option('--costs', 'list time and CPU time of every file, not only of the slowest 20')
    .option('--update-timings', 'record how long each file took, so that later runs start the slowest first')
    .action(async (patterns: string[], options: Omit<Partial<TestOptions>, 'patterns'>) => {
      const { runTests } = await import('./run-tests.ts')
      const { name, verbose, jobs, costs, updateTimings } = options
      process.exitCode = await runTests({ patterns, name, verbose, jobs, costs, updateTimings })
    })
}
