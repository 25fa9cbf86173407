import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { ENTRIES } from '../../deploy/build/stage.ts'

/**
 * Bundles the program into a folder, as for the compiled one: `bun tests/support/bundle.ts FOLDER`. Tests start it
 * hundreds of times, and without reading a thousand source files it starts in two thirds of the CPU time.
 */
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('bun tests/support/bundle.ts FOLDER')
const root = join(import.meta.dir, '../..')
const stubs = mkdtempSync(join(tmpdir(), 'portlight-entries-'))
try {
  const entrypoints = Object.entries(ENTRIES).map(([name, source]) => {
    const path = join(stubs, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `import '${join(root, source)}'\n`)
    return path
  })
  // Workers are found by the names of their sources.
  const naming = { entry: '[dir]/[name].ts' }
  // Fonts and style sheets are opened by their paths, from whichever folder the program is started in.
  const publicPath = `${resolve(folder)}/`
  await Bun.build({ entrypoints, root: stubs, outdir: folder, target: 'bun', splitting: true, naming, publicPath })
} finally {
  rmSync(stubs, { recursive: true, force: true })
}
