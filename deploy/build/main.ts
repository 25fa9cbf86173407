import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { type BuildInfo, checkout, isoDate } from '../../src/cli/build-info.ts'
import { ARCHIVE, MANIFEST } from '../../src/postgres/packed-binaries.ts'
import { compile, examine } from './compile.ts'
import { licenceTexts } from './licences.ts'
import { type Part, part } from './parts.ts'
import { bunPart } from './parts-of-bun.ts'
import { lockedIntegrity, npmParts } from './parts-of-npm.ts'
import { isBuiltFor, postgresqlPart } from './parts-of-postgresql.ts'
import { PLATFORMS, type Platform, thisPlatform } from './platforms.ts'
import { packPostgresql } from './postgresql.ts'
import { sbom } from './sbom.ts'
import { stage } from './stage.ts'

/**
 * Builds the program for the platforms given as arguments (`all`: every one), by default for this machine's. For
 * each, it writes to dist the program, its source maps, its bill of materials and the licences of what it includes;
 * SHA256SUMS has the checksums of all of them.
 */

const root = join(import.meta.dir, '../..')
const dist = join(root, 'dist')
const version = manifest.version
const LICENCES = 'THIRD-PARTY-LICENSES'
/**
 * zstd level: the smallest archive that every machine unpacks quickly. Packing takes 20 s, so it is kept until
 * PostgreSQL changes.
 */
const LEVEL = 19

async function build(platform: Platform): Promise<void> {
  const began = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'portlight-build-'))
  try {
    const staged = await stage(root, folder, platform)
    const postgresql = await addPostgresql(folder, platform)
    const info: BuildInfo = { ...origin(), platform: platform.name, postgresql: postgresql.version }
    const { maps, packages } = await examine(staged, platform, info)
    const parts = partsOf(folder, platform, packages, postgresql)
    const licences = licenceTexts(`portlight ${version}`, readFileSync(join(root, 'LICENSE'), 'utf8'), parts)
    writeFileSync(join(folder, `${LICENCES}.zst`), Bun.zstdCompressSync(licences, { level: LEVEL }))
    const assets = [`${LICENCES}.zst`, ARCHIVE, MANIFEST]
    const program = await compile(staged, platform, info, assets)

    const name = `portlight-${version}-${platform.name}`
    mkdirSync(dist, { recursive: true })
    // Removed rather than overwritten, because it may be running.
    for (const old of readdirSync(dist)) if (old === name || old.startsWith(`${name}.`)) rmSync(join(dist, old))
    const sha256 = Bun.SHA256.hash(readFileSync(program), 'hex')
    writeFileSync(join(dist, `${name}.cdx.json`), await sbom({ version, platform: platform.name, info, sha256, parts }))
    writeFileSync(join(dist, `${name}.${LICENCES}`), licences)
    writeFileSync(join(dist, `${name}.map.gz`), Bun.gzipSync(JSON.stringify(maps)))
    const target = join(dist, name)
    copyFileSync(program, target)
    chmodSync(target, 0o755)
    const mib = (readFileSync(target).length / 2 ** 20).toFixed(0)
    console.log(`dist/${name}  ${mib} MiB, in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Puts the packed PostgreSQL and its manifest into the stage. */
async function addPostgresql(folder: string, platform: Platform): Promise<Part> {
  const from = platform.postgresql
  const place = join(folder, 'node_modules', from)
  const native = join(place, 'native')
  if (!isBuiltFor(native, platform.cpu)) throw new Error(`${from} is not for ${platform.cpu}`)
  const described: { version: string } = await Bun.file(join(place, 'package.json')).json()
  const kept = join(root, 'node_modules', '.portlight', 'packed', `${platform.cpu}-${described.version}-${LEVEL}`)
  const options = { root: native, version: described.version, platform: `linux-${platform.cpu}`, level: LEVEL }
  const packed = packPostgresql({ ...options, kept })
  writeFileSync(join(folder, ARCHIVE), packed.archive)
  writeFileSync(join(folder, MANIFEST), JSON.stringify(packed.manifest))
  return postgresqlPart(native)
}

function partsOf(folder: string, platform: Platform, bundled: readonly string[], postgresql: Part): Part[] {
  // Packages that are embedded only as files or through macros are among the direct dependencies.
  const names = new Set([...bundled, ...Object.keys(manifest.dependencies), platform.canvas, platform.postgresql])
  const runtimes = lockedIntegrity(readFileSync(join(import.meta.dir, 'runtimes', 'bun.lock'), 'utf8'))
  const bun = bunPart(platform.runtime, runtimes.get(`${platform.runtime}@${Bun.version}`) ?? null)
  const fonts = join(root, 'src/graphs/fonts/DejaVu-LICENSE.txt')
  const font = part('DejaVu Sans Condensed', '2.37', 'Bitstream-Vera', {
    texts: [readFileSync(fonts, 'utf8')],
    kind: 'data',
  })
  return [bun, postgresql, font, ...npmParts(folder, [...names])]
}

/**
 * Commit and date of the checkout or, without git (an archive, a container), from BUILD_COMMIT and SOURCE_DATE_EPOCH
 * in the environment.
 */
function origin(): Pick<BuildInfo, 'commit' | 'date' | 'modified'> {
  const { BUILD_COMMIT: commit, SOURCE_DATE_EPOCH: seconds } = process.env
  if (commit === undefined || commit === '') return checkout(root)
  const date = seconds === undefined || !/^\d+$/.test(seconds) ? null : isoDate(Number(seconds))
  return { commit, date, modified: false }
}

/** Checksums of this version's files in dist, in sha256sum's format. */
function writeChecksums(): void {
  const names = readdirSync(dist).filter((name) => name.startsWith(`portlight-${version}-`))
  const lines = names.sort().map((name) => `${Bun.SHA256.hash(readFileSync(join(dist, name)), 'hex')}  ${name}\n`)
  writeFileSync(join(dist, 'SHA256SUMS'), lines.join(''))
}

function chosen(args: readonly string[]): readonly Platform[] {
  if (args.includes('all')) return PLATFORMS
  const here = thisPlatform()
  if (args.length === 0 && here !== null) return [here]
  if (args.length === 0) throw new Error(`there is no build for ${process.platform}-${process.arch}`)
  return args.map((name) => {
    const found = PLATFORMS.find((platform) => platform.name === name)
    if (found !== undefined) return found
    throw new Error(`no platform ${name}: there are ${PLATFORMS.map((platform) => platform.name).join(', ')}, and all`)
  })
}

try {
  for (const platform of chosen(process.argv.slice(2))) await build(platform)
  writeChecksums()
} catch (error) {
  console.error(`build: ${error instanceof Error ? error.message : String(error)}`)
  process.exit(1)
}
