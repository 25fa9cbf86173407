import type { Command } from 'commander'

/** `portlight bench`. */
export function registerBench(program: Command): void {
  program
    .command('bench')
    .description('measure, and compare with the goals; exit code 1 when one is missed')
    .argument('[names...]', 'only these, by their file in bench/ (default: all)')
    .option('--json', 'print JSON')
    .action(async (names: string[], options: { json?: boolean }) => {
      const { runBenches } = await import('../run-benches.ts')
      process.exitCode = await runBenches(names, options.json === true)
    })
}
