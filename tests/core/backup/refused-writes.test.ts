import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTarget } from '../../../src/cli/backup-file.ts'
import { createBackup } from '../../../src/core/backup/create.ts'
import { openSnapshot } from '../../../src/core/backup/read-snapshot.ts'
import { verifyBackup } from '../../../src/core/backup/verify.ts'
import { temporaryFolder } from '../../cli/support.ts'
import { testDatabase } from '../../support/database.ts'
import { fillDatabase } from './support.ts'

// Backups where something cannot be written: the server's own files, the file of the backup, or both at once.

setDefaultTimeout(120_000)

test('a server that has no room to share its snapshot is backed up by one session', async () => {
  const database = await testDatabase()
  const [{ folder } = { folder: '' }] = await database.store.sql<{ folder: string }[]>`
    select current_setting('data_directory') as folder`
  const snapshots = join(folder, 'pg_snapshots')
  if (!existsSync(snapshots)) {
    console.warn('the database server has its files elsewhere: a full disk is not tested')
    await database.drop()
    return
  }
  await fillDatabase(database.store, 3)
  // the server cannot make its file there, as on a full disk
  const { mode } = statSync(snapshots)
  chmodSync(snapshots, 0o500)
  try {
    const snapshot = await openSnapshot(database.url, 2)
    expect(snapshot.sessions).toHaveLength(1)
    await snapshot.close()
    const pieces: Uint8Array[] = []
    const report = await createBackup(
      { url: database.url, dataDir: null, connections: 2, program: 'test' },
      (octets) => {
        pieces.push(octets.slice())
        return Promise.resolve()
      },
    )
    const source = (async function* () {
      yield* pieces
    })()
    expect((await verifyBackup(source, () => undefined)).rows).toBe(report.rows)
  } finally {
    chmodSync(snapshots, mode & 0o777)
  }
  const again = await openSnapshot(database.url, 2)
  expect(again.sessions).toHaveLength(2)
  await again.close()
  await database.drop()
})

test('of two backups to the same file, the one begun last is kept, whole, and the other says so', async () => {
  const folder = temporaryFolder()
  const file = join(folder.path, 'backup.tar')
  const text = (octets: string) => new TextEncoder().encode(octets)
  const first = await openTarget(file)
  await first.sink(text('first'))
  const second = await openTarget(file)
  await second.sink(text('sec'))
  await first.sink(text(' and more'))
  await expect(first.finish()).rejects.toThrow('another backup to this file was begun meanwhile')
  await first.discard()
  await second.sink(text('ond'))
  await second.finish()
  expect(readFileSync(file, 'utf8')).toBe('second')
  expect(existsSync(`${file}.part`)).toBe(false)
  folder.remove()
})

test('what a killed backup left is replaced', async () => {
  const folder = temporaryFolder()
  const file = join(folder.path, 'backup.tar')
  writeFileSync(`${file}.part`, 'left by a backup that was killed')
  const target = await openTarget(file)
  await target.sink(new TextEncoder().encode('new'))
  await target.finish()
  expect(readFileSync(file, 'utf8')).toBe('new')
  folder.remove()
})

const small = temporaryFolder()
const mounted =
  process.getuid?.() === 0 &&
  Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small.path]).exitCode === 0
if (!mounted) console.warn('a small disk cannot be mounted: a full one is not tested')
afterAll(() => {
  if (mounted) Bun.spawnSync(['umount', small.path])
  small.remove()
})

test.skipIf(!mounted)('a full disk is named, with what to do, and nothing is left on it', async () => {
  const file = join(small.path, 'backup.tar')
  const target = await openTarget(file)
  await expect(target.sink(new Uint8Array(1 << 20))).rejects.toThrow(
    `${file}.part cannot be written: its disk is full; what was written is removed. Make room, or write to another disk`,
  )
  await target.discard()
  expect(readdirSync(small.path)).toEqual([])
})
