import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { embeddedFile } from '../../lib/compiled.ts'
import { buildInfo } from '../build-info.ts'
import { CliError } from '../errors.ts'
import { print, printJson } from '../output.ts'
import { VERSION } from '../version.ts'

/** Name of the file with licence texts in the binary (deploy/build/main.ts). */
const LICENCES = 'THIRD-PARTY-LICENSES.zst'

/** `portlight version` and `portlight --version`. */
export function registerVersion(program: Command): void {
  program
    .command('version')
    .description('print the version of Portlight with commit and date, and of Bun')
    .option('--licenses', 'print the licences of everything inside the program instead')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean; licenses?: boolean }) => {
      if (options.licenses === true) return print(licences())
      const build = buildInfo()
      if (options.json === true) {
        return printJson({ portlight: VERSION, ...build, bun: Bun.version, executable: process.execPath })
      }
      const { commit, date, modified } = build
      const from = commit === null ? '' : `commit ${commit.slice(0, 12)}${modified ? ' with changes' : ''}`
      print(`portlight ${VERSION} (${[from, date?.slice(0, 10), `Bun ${Bun.version}`].filter(Boolean).join(', ')})`)
    })
}

/** Texts of all licences. Throws CliError when run from source, where each package has its own licence file. */
function licences(): string {
  const path = embeddedFile(LICENCES)
  if (path === null) {
    throw new CliError(
      'only the compiled program contains the licences; here they are in LICENSE and node_modules/*/LICENSE*',
    )
  }
  return Bun.zstdDecompressSync(readFileSync(path)).toString().trimEnd()
}
