import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ENTRIES } from '../../deploy/build/stage.ts'

/**
 * Compiles the program to a file as for a release, but without PostgreSQL, which it finds in the checkout:
 * `bun tests/support/compile.ts FILE`. Tests start it a thousand times; a command of it takes half the CPU time of one
 * that is started from a thousand source files.
 */
const [program] = process.argv.slice(2)
if (program === undefined) throw new Error('bun tests/support/compile.ts FILE')
const root = join(import.meta.dir, '../..')
const stubs = mkdtempSync(join(tmpdir(), 'portlight-entries-'))
try {
  const entries = Object.entries(ENTRIES).map(([name, source]) => {
    const path = join(stubs, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `import '${join(root, source)}'\n`)
    return name
  })
  const built = Bun.spawnSync(
    [
      ...[process.execPath, '--no-env-file', 'build', '--compile', '--splitting', '--bytecode', '--format=esm'],
      ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig', '--compile-autoload-package-json'],
      ...[`--define=PORTLIGHT_CHECKOUT=${JSON.stringify(root)}`, '--define=__dirname="/"', '--define=__filename="/"'],
      ...[...entries, `--outfile=${program}`],
    ],
    { cwd: stubs, stdout: 'ignore', stderr: 'inherit' },
  )
  process.exitCode = built.exitCode
} finally {
  rmSync(stubs, { recursive: true, force: true })
}
