import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { packPostgresql } from '../../../deploy/build/postgresql.ts'
import { connect } from '../../../src/core/database/client.ts'
import { createLog } from '../../../src/observe/log.ts'
import { installedBinaries } from '../../../src/postgres/binaries.ts'
import { startEmbedded } from '../../../src/postgres/embedded.ts'
import { EmbeddedPostgresError } from '../../../src/postgres/errors.ts'
import { describePacked, type Manifest, type PackedBinaries } from '../../../src/postgres/packed-binaries.ts'
import { serverProcesses } from '../../../src/postgres/postmaster.ts'
import { unpackBinaries } from '../../../src/postgres/unpack.ts'
import { temporaryFolder } from '../../cli/support.ts'

setDefaultTimeout(120_000)

const work = temporaryFolder()
afterAll(work.remove)

let count = 0
function folder(): string {
  const path = join(work.path, String(count++))
  mkdirSync(path, { mode: 0o755 })
  return path
}

/** Packs these files as the build packs PostgreSQL. */
async function pack(files: Readonly<Record<string, string | Uint8Array>>, version = '1'): Promise<PackedBinaries> {
  const [from, to] = [folder(), folder()]
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(from, path)), { recursive: true })
    writeFileSync(join(from, path), content)
  }
  const { archive, manifest } = packPostgresql({ root: from, version, platform: 'test', level: 1 })
  writeFileSync(join(to, 'a.zst'), archive)
  return describePacked(join(to, 'a.zst'), JSON.stringify(manifest))
}

const small = { 'bin/postgres': '#!/bin/sh\n', 'lib/x.so': 'library', 'share/a/b/c': '' }

test('everything is unpacked with its content, and programs can be executed by anybody', async () => {
  const packed = await pack(small)
  const to = folder()
  const before = process.umask(0o077)
  const { root, name } = await unpackBinaries(packed, to).finally(() => process.umask(before))
  expect([root, readdirSync(to)]).toEqual([join(to, name), [name]])
  for (const [path, content] of Object.entries(small)) expect(readFileSync(join(root, path), 'utf8')).toBe(content)
  const modes = ['.', 'bin', 'share/a/b', 'bin/postgres', 'lib/x.so'].map(
    (path) => statSync(join(root, path)).mode & 0o777,
  )
  expect(modes).toEqual([0o755, 0o755, 0o755, 0o755, 0o644])
})

test('a complete folder is kept; a truncated one is unpacked again', async () => {
  const packed = await pack(small)
  const to = folder()
  const { root } = await unpackBinaries(packed, to)
  const inode = statSync(root).ino
  await unpackBinaries(packed, to)
  expect(statSync(root).ino).toBe(inode)
  truncateSync(join(root, 'lib/x.so'), 3)
  await unpackBinaries(packed, to)
  expect(statSync(root).ino).not.toBe(inode)
  expect(readFileSync(join(root, 'lib/x.so'), 'utf8')).toBe('library')
  await unpackBinaries(packed, to)
  expect(readdirSync(to)).toEqual([packed.name])
})

test('other versions and interrupted attempts are removed, unless a process runs from them', async () => {
  const to = folder()
  const [old, used] = [await pack(small, '1'), await pack({ ...small, 'bin/x': readFileSync('/bin/sleep') }, '2')]
  for (const version of [old, used]) await unpackBinaries(version, to)
  expect(readdirSync(to)).toEqual([used.name])
  mkdirSync(join(to, `${old.name}.new-abc`))
  const running = Bun.spawn([join(to, used.name, 'bin/x'), '100'])
  const current = await pack(small, '3')
  await unpackBinaries(current, to)
  expect(readdirSync(to).sort()).toEqual([used.name, current.name].sort())
  running.kill()
  await running.exited
  await unpackBinaries(current, to)
  expect(readdirSync(to)).toEqual([current.name])
})

test.each(['archive', 'a file', 'a missing file'])(
  'damage is detected and nothing is left behind: %s',
  async (what) => {
    const packed = await pack(small)
    const to = folder()
    const bytes = readFileSync(packed.archive)
    if (what === 'archive') writeFileSync(packed.archive, bytes.subarray(0, bytes.length / 2))
    const sha256 = Bun.SHA256.hash('other', 'hex')
    const files: Manifest['files'] = {
      ...packed.files,
      ...(what === 'a file' && { 'lib/x.so': { size: 7, sha256 } }),
      ...(what === 'a missing file' && { 'lib/y.so': { size: 7, sha256 } }),
    }
    const failure = await unpackBinaries({ ...packed, files }, to).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(EmbeddedPostgresError)
    expect(String(failure)).toContain('is damaged')
    expect(readdirSync(to)).toEqual([])
  },
)

/** The real PostgreSQL, packed once. */
let packedReal: Promise<PackedBinaries> | null = null
function real(): Promise<PackedBinaries> {
  packedReal ??= (async () => {
    const to = folder()
    const { root } = installedBinaries()
    const { archive, manifest } = packPostgresql({ root, version: 'real', platform: 'test', level: 1 })
    writeFileSync(join(to, 'a.zst'), archive)
    return describePacked(join(to, 'a.zst'), JSON.stringify(manifest))
  })()
  return packedReal
}

test('a server runs from the unpacked programs', async () => {
  const dataDir = folder()
  const server = await startEmbedded({ dataDir, log: createLog('silent'), binaries: await real() })
  const store = connect(server.url, { max: 1 })
  try {
    const [row] = await store.sql`select count(*)::int as n from pg_timezone_names where name = 'Europe/Berlin'`
    expect(row?.['n']).toBe(1)
    await store.sql`create extension pg_trgm`
    const { name } = await real()
    // Only the C and C++ libraries are the host's.
    const [pid = 0] = serverProcesses(join(dataDir, 'postgres', 'data'))
    const mapped = readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/\S+\.so[.\d]*$/gm) ?? []
    const host = mapped.filter((path) => !path.startsWith(join(dataDir, 'postgres', name)))
    expect(mapped.length).toBeGreaterThan(host.length)
    expect(
      host.filter((path) => !/\/(ld-linux|libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)[-.][^/]*$/.test(path)),
    ).toEqual([])
    expect(readdirSync(join(dataDir, 'postgres')).filter((entry) => entry.startsWith('postgresql-'))).toEqual([name])
  } finally {
    await store.close()
    await server.stop()
  }
})

test('a half-unpacked folder left by a killed process is removed', async () => {
  const [packed, to] = [await real(), folder()]
  let killed = 0
  for (const waitMs of [0, 5, 20, 60, 150, 300]) {
    const child = Bun.spawn([
      process.execPath,
      '-e',
      `import { serverProcesses } from '../../../src/postgres/postmaster.ts'
import { unpackBinaries } from ${JSON.stringify(join(import.meta.dir, '../../../src/postgres/unpack.ts'))}
       console.log('ready')
       await unpackBinaries(${JSON.stringify(packed)}, ${JSON.stringify(to)})`,
    ])
    await child.stdout.getReader().read()
    await Bun.sleep(waitMs)
    child.kill('SIGKILL')
    await child.exited
    if (existsSync(join(to, packed.name))) break
    killed++
  }
  expect(killed).toBeGreaterThan(0)
  const { root } = await unpackBinaries(packed, to)
  expect(readdirSync(to)).toEqual([packed.name])
  for (const [path, { sha256 }] of Object.entries(packed.files))
    expect([path, Bun.SHA256.hash(readFileSync(join(root, path)), 'hex')]).toEqual([path, sha256])
})

const asRoot = process.getuid?.() === 0
if (!asRoot) console.warn('not root: small disks and disks without programs are not tested')

test.if(asRoot)('what another user left behind stays, and does not stop a start', async () => {
  const [to, old, packed] = [folder(), await pack(small, '1'), await pack(small, '2')]
  await unpackBinaries(old, to)
  chownSync(to, 65_534, 65_534)
  const source = JSON.stringify(join(import.meta.dir, '../../../src/postgres/unpack.ts'))
  const code = `const { unpackBinaries } = await import(${source})
    await unpackBinaries(${JSON.stringify(packed)}, ${JSON.stringify(to)})`
  const child = Bun.spawnSync([process.execPath, '-e', code], { cwd: to, uid: 65_534, gid: 65_534 })
  expect([child.exitCode, child.stderr.toString()]).toEqual([0, ''])
  expect(readdirSync(to).sort()).toEqual([old.name, packed.name])
  await unpackBinaries(packed, to)
  expect(readdirSync(to)).toEqual([packed.name])
})

test.if(asRoot)('a full disk and one mounted noexec are reported', async () => {
  const cases = [
    { options: 'size=90m,mode=755', says: /the disk of .* is full: .* unpacking PostgreSQL needs 1\d\d;/ },
    { options: 'size=600m,mode=755,noexec', says: /does not allow programs to run \(mounted noexec\?\)/ },
  ]
  for (const { options, says } of cases) {
    const disk = folder()
    expect(Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', options, 'tmpfs', disk]).success).toBe(true)
    try {
      const starting = options.includes('noexec')
        ? startEmbedded({ dataDir: disk, log: createLog('silent'), binaries: await real() }).then(() => null)
        : unpackBinaries(await real(), disk).then(() => null)
      const failure = await starting.catch((error: unknown) => error)
      expect(String(failure)).toMatch(says)
      expect(readdirSync(disk).filter((name) => name.startsWith('postgresql-'))).toEqual([])
    } finally {
      Bun.spawnSync(['umount', '-l', disk])
    }
  }
})
