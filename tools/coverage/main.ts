import type { Command } from 'commander'

/** `portlight coverage`. */
export function registerCoverage(program: Command): void {
  const coverage = program
    .command('coverage')
    .description('compare recordings of devices with what definitions name and discovery finds')
  coverage
    .command('named')
    .description(
      'for each value that a definition names and a recording holds: is it shown, or which rule leaves it out; exit code 1 if less than 99.5 % are shown',
    )
    .argument('<folders...>', 'folders of recordings (.snmprec)')
    .option('--definitions <dir>', 'also use the definitions of this LibreNMS installation')
    .option('--all', 'list every value that no rule explains, instead of the first 20')
    .action(async (folders: string[], options: { definitions?: string; all?: boolean }) => {
      const { reportNamed } = await import('./report-named.ts')
      process.exitCode = await reportNamed(folders, options.definitions ?? null, options.all === true)
    })
  coverage
    .command('unread')
    .description(
      'columns of vendor MIBs that recordings fill and no module reads, those of tables that are read in part first',
    )
    .argument('<folders...>', 'folders of recordings (.snmprec)')
    .requiredOption('--mibs <dir>', 'folder of MIB modules, with its subfolders')
    .option('--definitions <dir>', 'also use the definitions of this LibreNMS installation')
    .action(async (folders: string[], options: { mibs: string; definitions?: string }) => {
      const { reportUnread } = await import('./report-unread.ts')
      await reportUnread(folders, options.mibs, options.definitions ?? null)
    })
}
