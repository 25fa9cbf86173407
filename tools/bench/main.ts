import type { Command } from 'commander'

/** `portlight bench`. */
export function registerBench(program: Command): void {
  program
    .command('bench')
    .description('run benchmarks and compare the results with the goals; exit code 1 if a goal is missed')
    .argument('[names...]', 'names of files in bench/ (default: all)')
    .option('--json', 'print JSON')
    .action(async (names: string[], options: { json?: boolean }) => {
      const { runBenches } = await import('./run-benches.ts')
      process.exitCode = await runBenches(names, options.json === true)
    })
}
