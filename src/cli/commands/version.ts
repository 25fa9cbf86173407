import type { Command } from 'commander'
import { print, printJson } from '../output.ts'
import { VERSION } from '../version.ts'

/** `portlight version` and `portlight --version`. */
export function registerVersion(program: Command): void {
  program
    .command('version')
    .description('print the version of Portlight and of Bun')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => {
      if (options.json === true) printJson({ portlight: VERSION, bun: Bun.version, executable: process.execPath })
      else print(`portlight ${VERSION} (Bun ${Bun.version})`)
    })
}
