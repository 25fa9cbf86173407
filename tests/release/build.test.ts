import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { licenceTexts } from '../../deploy/build/licences.ts'
import { part } from '../../deploy/build/parts.ts'
import { npmParts } from '../../deploy/build/parts-of-npm.ts'
import { postgresqlPart } from '../../deploy/build/parts-of-postgresql.ts'
import { sbom } from '../../deploy/build/sbom.ts'
import { translate } from '../../deploy/build/stack.ts'
import { installedBinaries } from '../../src/postgres/binaries.ts'
import { temporaryFolder } from '../cli/support.ts'

setDefaultTimeout(60_000)

const work = temporaryFolder()
afterAll(work.remove)

let count = 0
/** A folder with these files. */
function folder(files: Readonly<Record<string, string>>): string {
  const path = join(work.path, String(count++))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

const lock = JSON.stringify({ packages: { a: ['a@1.0.0', '', {}, 'sha512-YQ=='] } })
const manifest = (licence: string | undefined): string =>
  JSON.stringify({ name: 'a', version: '1.0.0', ...(licence !== undefined && { license: licence }) })

test('a package without licence, or without its text, stops the build', () => {
  const none = folder({ 'bun.lock': lock, 'node_modules/a/package.json': manifest(undefined) })
  expect(() => npmParts(none, ['a'])).toThrow('a names no licence')
  const noText = folder({ 'bun.lock': lock, 'node_modules/a/package.json': manifest('MIT') })
  expect(() => npmParts(noText, ['a'])).toThrow('a (MIT) has no text of its licence')
  const whole = folder({
    'bun.lock': lock,
    'node_modules/a/package.json': manifest('MIT'),
    'node_modules/a/LICENSE': 'Copyright of A',
  })
  expect(npmParts(whole, ['a'])).toMatchObject([
    { name: 'a', version: '1.0.0', licence: 'MIT', texts: ['Copyright of A'], integrity: 'sha512-YQ==' },
  ])
})

test('an identifier without text stops the build; others are printed once with everything they are for', () => {
  const parts = [
    part('x', '1', 'MIT'),
    part('y', null, 'MIT OR Apache-2.0'),
    part('z', '2', 'ISC', { texts: ['Text of Z'] }),
  ]
  const text = licenceTexts('p 1', 'own', parts)
  expect(text.match(/Permission is hereby granted, free of charge/g)).toHaveLength(1)
  expect(text).toContain('- x 1 (MIT)\n- y (MIT OR Apache-2.0)')
  expect(text).toContain('Text of Z')
  expect(() => licenceTexts('p 1', 'own', [part('x', '1', 'Nonsense-1.0')])).toThrow(
    'no text of the licence Nonsense-1.0',
  )
})

test('the installed PostgreSQL and its libraries are recognised', () => {
  const { version, parts } = postgresqlPart(installedBinaries().root)
  expect(version).toMatch(/^18\.\d+$/)
  expect(parts.map(({ name }) => name).sort()).toEqual(['icu', 'libxml2', 'openssl', 'xz', 'zlib'])
  expect(parts.filter((each) => !/^\d+\.\d+/.test(each.version ?? ''))).toEqual([])
})

test('a list of materials fits its schema and is the same each time', async () => {
  const info = { commit: null, date: '2026-01-01T00:00:00Z', modified: false, platform: 'p', postgresql: null }
  const facts = { version: '1', platform: 'p', info, sha256: 'ab'.repeat(32) }
  const text = await sbom({ ...facts, parts: [part('x', '1', 'MIT')] })
  expect(JSON.parse(text)).toMatchObject({
    components: [{ name: 'x', version: '1' }],
    metadata: { timestamp: '2026-01-01T00:00:00.000Z' },
  })
  expect(await sbom({ ...facts, parts: [part('x', '1', 'MIT')] })).toBe(text)
})

test('a stack trace of the bundle is read by its source map', async () => {
  const at = folder({
    'main.ts': `import { fail } from './deep.ts'\n\nfail(process.argv.length)\n`,
    'deep.ts': `interface Unused {}\n\nexport function fail(n: number): never {\n  throw new Error(\`it failed \${n}\`)\n}\n`,
  })
  const options = ['--compile', '--minify', '--sourcemap=external', '--outfile=out/program']
  const plain = ['--compile', '--minify', '--outfile=plain/program']
  for (const more of [options, plain]) {
    const ran = Bun.spawnSync([process.execPath, 'build', ...more, 'main.ts'], { cwd: at })
    expect([ran.exitCode, ran.exitCode === 0 ? '' : ran.stderr.toString()]).toEqual([0, ''])
  }
  const failed = Bun.spawnSync([join(at, 'plain/program')], { env: {} })
  const trace = failed.stderr.toString()
  expect(trace).not.toContain('deep.ts:4')
  const names = [...new Bun.Glob('*.map').scanSync(join(at, 'out'))]
  const maps = await Promise.all(
    names.map(async (name) => [name, await Bun.file(join(at, 'out', name)).json()] as const),
  )
  expect(translate(trace, Object.fromEntries(maps))).toMatch(/deep\.ts:4:\d+/)
})
