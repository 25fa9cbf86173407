import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Scripts of the pages, each bundled with its imports. */
const SCRIPTS = ['main', 'chart', 'rule', 'push-worker'] as const

/**
 * Macro: bundles the scripts and styles of the pages and embeds them in the importing file as literals, so that the
 * compiled binary needs no extra files. A build cannot run inside another, so it runs in a separate process.
 */
export function embeddedAssets(): Record<string, string> {
  const here = import.meta.dir
  const out = mkdtempSync(join(tmpdir(), 'portlight-web-'))
  try {
    const entries = [...SCRIPTS.map((name) => join(here, '../islands', `${name}.ts`)), join(here, 'style.css')]
    const built = Bun.spawnSync(
      [
        process.execPath,
        'build',
        ...entries,
        '--target=browser',
        '--minify',
        '--entry-naming=[name].[ext]',
        '--outdir',
        out,
      ],
      { stdout: 'pipe', stderr: 'pipe', env: { ...process.env, BUN_BE_BUN: '1' } },
    )
    if (!built.success) throw new Error(`the scripts of the pages cannot be bundled: ${built.stderr.toString()}`)
    const texts: Record<string, string> = {}
    for (const name of [...SCRIPTS.map((script) => `${script}.js`), 'style.css']) {
      texts[name] = readFileSync(join(out, name), 'utf8')
    }
    for (const name of ['icons.svg', 'brand.svg']) texts[name] = readFileSync(join(here, name), 'utf8')
    return texts
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
