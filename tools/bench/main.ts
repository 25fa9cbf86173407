import type { Command } from 'commander'

/** `portlight bench`. */
export function registerBench(program: Command): void {
  program
    .command('bench')
    .description('run benchmarks and compare the results with the goals; exit code 1 if a goal is missed')
    .argument('[names...]', 'names of files in bench/ (default: all short ones), then options of theirs')
    .option('--json', 'print JSON')
    .allowUnknownOption()
    .action(async (args: string[], options: { json?: boolean }) => {
      const { runBenches } = await import('./run-benches.ts')
      process.exitCode = await runBenches(args, options.json === true)
    })
}
