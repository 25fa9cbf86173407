import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildInfo } from '../../src/cli/build-info.ts'
import type { Platform } from './platforms.ts'
import { run } from './process.ts'
import type { Stage } from './stage.ts'

export interface Bundled {
  /** Source maps by the name of the bundled file, as in stack traces, with `.map`. deploy/build/stack.ts reads them. */
  readonly maps: Readonly<Record<string, unknown>>
  /** Names of the npm packages whose code is in the bundle. */
  readonly packages: readonly string[]
}

/**
 * Bundles the staged sources once more for their source maps and packages, because a program built with maps would
 * contain them.
 */
export async function examine(stage: Stage, platform: Platform, info: BuildInfo): Promise<Bundled> {
  const out = await bundle(stage, platform, info, 'mapped', ['--sourcemap=external', '--metafile=meta.json'])
  const maps = readdirSync(out, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.map'))
    .sort()
    .map((name): readonly [string, unknown] => [name, JSON.parse(readFileSync(join(out, name), 'utf8'))])
  return {
    maps: Object.fromEntries(maps),
    packages: packagesIn(readFileSync(join(stage.folder, 'meta.json'), 'utf8')),
  }
}

/**
 * Compiles the staged sources and returns the path of the program. `assets` are files in the stage's folder that the
 * program finds by name. The same stage and build info give identical bytes.
 */
export async function compile(
  stage: Stage,
  platform: Platform,
  info: BuildInfo,
  assets: readonly string[],
): Promise<string> {
  const more = assets.flatMap((asset) => ['--asset', asset])
  return join(await bundle(stage, platform, info, 'program', more), 'portlight')
}

async function bundle(
  { folder, entries, runtime }: Stage,
  platform: Platform,
  info: BuildInfo,
  out: string,
  more: readonly string[],
): Promise<string> {
  mkdirSync(join(folder, out))
  await run(
    [
      ...[process.execPath, 'build', '--compile', '--minify', '--splitting', '--bytecode'],
      // With top-level await, --bytecode requires esm.
      '--format=esm',
      // Settings come only from the documented places, not from files in the current folder.
      ...['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'],
      ...[`--target=${platform.target}`, `--compile-executable-path=${runtime}`],
      `--define=PORTLIGHT_BUILD=${JSON.stringify(info)}`,
      // Otherwise packages that use it get the folder in which they were built.
      ...['--define=__dirname="/"', '--define=__filename="/"'],
      ...more,
      ...entries,
      `--outfile=${out}/portlight`,
    ],
    folder,
  )
  return join(folder, out)
}

function packagesIn(metafile: string): string[] {
  const meta: unknown = JSON.parse(metafile)
  const inputs = typeof meta === 'object' && meta !== null && 'inputs' in meta ? meta.inputs : null
  if (typeof inputs !== 'object' || inputs === null) throw new Error('bun build wrote no list of inputs')
  const names = Object.keys(inputs).flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  return [...new Set(names)].sort()
}
