import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

setDefaultTimeout(60_000)

const base = mkdtempSync(join(tmpdir(), 'portlight launcher '))
afterAll(() => rmSync(base, { recursive: true }))

const launcher = join(import.meta.dir, '..', '..', 'portlight')
/** A folder for PATH that contains only this Bun. */
const bunOnly = join(base, 'bin with bun')
mkdirSync(bunOnly)
symlinkSync(process.execPath, join(bunOnly, 'bun'))

/** A dependency that needs no network, and its lock file. */
const manifest = JSON.stringify(
  { name: 'p', private: true, packageManager: `bun@${Bun.version}`, dependencies: { local: 'file:./local' } },
  null,
  2,
)
const lock = makeLock()

function makeLock(): string {
  const folder = join(base, 'lock')
  writeProject(folder)
  const made = Bun.spawnSync([process.execPath, 'install'], { cwd: folder, env: { HOME: base } })
  if (!made.success) throw new Error(made.stderr.toString())
  return readFileSync(join(folder, 'bun.lock'), 'utf8')
}

function writeProject(folder: string): void {
  mkdirSync(join(folder, 'local'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifest)
  writeFileSync(join(folder, 'local', 'package.json'), '{ "name": "local", "version": "1.0.0" }')
}

let project = ''
let count = 0

/** A project with the launcher, one dependency, and a program that prints how it was called. */
beforeEach(() => {
  project = join(base, `project ${++count}`)
  writeProject(project)
  mkdirSync(join(project, 'src'))
  copyFileSync(launcher, join(project, 'portlight'))
  writeFileSync(join(project, 'bun.lock'), lock)
  writeFileSync(join(project, 'bunfig.toml'), '')
  writeFileSync(
    join(project, 'src', 'main.ts'),
    'console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), extra: process.env.EXTRA ?? null }))',
  )
})

interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function start(
  args: readonly string[],
  options: { cwd?: string; path?: string; system?: string; program?: string; home?: string } = {},
): Promise<Outcome> {
  const child = Bun.spawn(['/bin/sh', options.program ?? join(project, 'portlight'), ...args], {
    cwd: options.cwd ?? project,
    env: { PATH: options.system ?? `${options.path ?? bunOnly}:/usr/bin:/bin`, HOME: options.home ?? base },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, err }
}

/** A folder for PATH with a program that runs a shell script. */
function folderWith(name: string, script: string): string {
  const folder = mkdtempSync(join(base, 'bin '))
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
  return folder
}

/** A folder for PATH with the usual system tools, but without Bun and npm. */
const bareSystem = join(base, 'bare')
mkdirSync(bareSystem)
for (const tool of ['cmp', 'cp', 'ln', 'mkdir', 'mv', 'readlink', 'rm', 'sleep', 'tail', 'uname']) {
  const found = Bun.which(tool)
  if (found !== null) symlinkSync(found, join(bareSystem, tool))
}

describe('starting', () => {
  test('passes on arguments and the current folder, from anywhere, through symbolic links', async () => {
    const link = join(base, `link ${count}`)
    symlinkSync(join(project, 'portlight'), join(base, `inner ${count}`))
    symlinkSync(`inner ${count}`, link)
    const { code, out } = await start(['a', 'b c', '', '--x=*'], { cwd: '/', program: link })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({ args: ['a', 'b c', '', '--x=*'], cwd: '/', extra: null })
  })

  test('installs with a message at the first start; later starts print none', async () => {
    const first = await start(['x'])
    expect(first.err).toContain('installing dependencies')
    expect(first.code).toBe(0)
    const second = await start(['x'])
    expect(second).toEqual({ code: 0, out: first.out, err: '' })
  })

  test('installs again when the lock file changed', async () => {
    await start([])
    writeFileSync(join(project, 'bun.lock'), `${lock}\n`)
    expect((await start([])).err).toContain('installing dependencies')
    expect((await start([])).err).toBe('')
  })

  test('installs again when a patch of a package was added', async () => {
    await start([])
    mkdirSync(join(project, 'patches'))
    writeFileSync(join(project, 'patches', 'other@1.0.0.patch'), '')
    writeFileSync(join(project, 'patches', 'some@1.0.0.patch'), 'diff\n')
    expect((await start([])).err).toContain('installing dependencies')
    expect((await start([])).err).toBe('')
  })

  test('does not load a .env of the current folder', async () => {
    await start([])
    const folder = mkdtempSync(join(base, 'cwd '))
    writeFileSync(join(folder, '.env'), 'EXTRA=surprise\n')
    expect(JSON.parse((await start([], { cwd: folder })).out)).toMatchObject({ extra: null })
  })

  test('returns the exit code of the program', async () => {
    await start([])
    writeFileSync(join(project, 'src', 'main.ts'), 'process.exit(7)')
    expect((await start([])).code).toBe(7)
  })

  test('a private Bun is preferred, without searching PATH', async () => {
    await start([])
    symlinkSync(process.execPath, join(project, 'node_modules', '.portlight', `bun-${Bun.version}`))
    const { code } = await start([], { path: folderWith('bun', 'exit 99') })
    expect(code).toBe(0)
  })
})

describe('several at once', () => {
  test('one installs while the others wait, then all run', async () => {
    const outcomes = await Promise.all([1, 2, 3].map((n) => start([String(n)])))
    expect(outcomes.map((outcome) => outcome.code)).toEqual([0, 0, 0])
    expect(outcomes.filter((outcome) => outcome.err.includes('installing dependencies'))).toHaveLength(1)
    expect(existsSync(join(project, 'node_modules', '.portlight', 'lock'))).toBe(false)
  })

  test('a lock left by a killed process does not block others', async () => {
    const gone = Bun.spawn(['/bin/sh', '-c', 'exit 0'])
    await gone.exited
    mkdirSync(join(project, 'node_modules', '.portlight'), { recursive: true })
    symlinkSync(String(gone.pid), join(project, 'node_modules', '.portlight', 'lock'))
    expect((await start([])).code).toBe(0)
  })
})

describe('failures', () => {
  test('a failed install shows the reason and is retried', async () => {
    writeFileSync(join(project, 'bun.lock'), 'broken')
    const { code, err } = await start([])
    expect(code).toBe(1)
    expect(err).toContain('could not be installed')
    expect(existsSync(join(project, 'node_modules', '.portlight', 'lock'))).toBe(false)
    writeFileSync(join(project, 'bun.lock'), lock)
    expect((await start([])).code).toBe(0)
  })

  test('without Bun and npm the message says what is needed', async () => {
    const { code, err } = await start([], { system: bareSystem })
    expect(code).toBe(1)
    expect(err).toContain(`needs Bun ${Bun.version}, or node with npm`)
  })

  test('if npm cannot reach its registry, the message says that the first start needs the network', async () => {
    const { code, err } = await start([], { path: folderWith('npm', 'echo "request failed" >&2; exit 1') })
    expect(code).toBe(1)
    expect(err).toContain('request failed')
    expect(err).toContain('The first start needs the network')
    expect(readdirSync(join(project, 'node_modules', '.portlight')).filter((name) => name.startsWith('tmp'))).toEqual(
      [],
    )
  })
})

describe('installing Bun', () => {
  /** Stands in for npm: installs the package of this platform and a Bun that cannot run here. */
  const npm = `
while [ $# -gt 0 ]; do case $1 in --prefix) prefix=$2; shift ;; esac; shift; done
for platform in aaa-broken this-one; do mkdir -p "$prefix/node_modules/@oven/bun-$platform/bin"; done
printf '#!/bin/sh\\nexit 132\\n' > "$prefix/node_modules/@oven/bun-aaa-broken/bin/bun"
chmod +x "$prefix/node_modules/@oven/bun-aaa-broken/bin/bun"
cp '${process.execPath}' "$prefix/node_modules/@oven/bun-this-one/bin/bun"`

  test('npm installs Bun into node_modules, and the binary that runs on this machine is kept', async () => {
    const folder = folderWith('npm', npm)
    const first = await start(['x'], { path: folder })
    expect(first.err).toContain(`installing Bun ${Bun.version} with npm`)
    expect(first.code).toBe(0)
    const own = join(project, 'node_modules', '.portlight')
    expect(readdirSync(own).toSorted()).toEqual([`bun-${Bun.version}`, 'install.log', 'installed'])
    expect((await start(['x'], { path: '/nonexistent' })).err).toBe('')
  })

  test('a Bun of another version in PATH is not used', async () => {
    const folder = folderWith('npm', npm)
    writeFileSync(join(folder, 'bun'), '#!/bin/sh\necho 0.1.0\n')
    chmodSync(join(folder, 'bun'), 0o755)
    const { code, err } = await start([], { path: folder })
    expect(err).toContain('with npm')
    expect(code).toBe(0)
  })

  test('without a home folder the installers use a cache in the project, which is removed afterwards', async () => {
    const seen = join(base, `cache ${count}`)
    const folder = folderWith('npm', `printf %s "$npm_config_cache" > '${seen}'\n${npm}`)
    expect((await start([], { path: folder, home: '/nonexistent' })).code).toBe(0)
    const cache = readFileSync(seen, 'utf8')
    expect(cache).toStartWith(join(project, 'node_modules', '.portlight'))
    expect(existsSync(cache)).toBe(false)
  })

  test('package.json and bun.lock are not changed', async () => {
    const before = [
      await Bun.file(join(project, 'package.json')).text(),
      await Bun.file(join(project, 'bun.lock')).text(),
    ]
    await start([], { path: folderWith('npm', npm) })
    expect([
      await Bun.file(join(project, 'package.json')).text(),
      await Bun.file(join(project, 'bun.lock')).text(),
    ]).toEqual(before)
    expect(readdirSync(project).toSorted()).toEqual([
      'bun.lock',
      'bunfig.toml',
      'local',
      'node_modules',
      'package.json',
      'portlight',
      'src',
    ])
  })
})
