import type { Command } from 'commander'

/** `portlight test`. */
export function registerTest(program: Command): void {
  program
    .command('test')
    .description('run the tests; ends with the line "N passed, N failed"')
    .argument('[patterns...]', 'only test files whose path contains one of these')
    .option('--name <pattern>', 'only tests whose name matches this regular expression')
    .option('--verbose', 'show the tests that pass as well')
    .option('--jobs <number>', 'test files to run in parallel (default: one for each core)')
    .action(async (patterns: string[], options: { name?: string; verbose?: boolean; jobs?: string }) => {
      const { runTests } = await import('../run-tests.ts')
      process.exitCode = await runTests({ patterns, name: options.name, verbose: options.verbose, jobs: options.jobs })
    })
}
