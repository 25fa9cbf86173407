import { afterEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { treeFolder } from '../librenms/tree.ts'
import { portlight } from './support.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folders(): { readonly data: string; readonly tree: string } {
  const data = mkdtempSync(join(tmpdir(), 'portlight-data-'))
  const tree = treeFolder()
  made.push(data, tree)
  return { data, tree }
}

describe('portlight definitions', () => {
  test('adds, lists, shows and removes', async () => {
    const { data, tree } = folders()
    const run = (...args: string[]) => portlight(['definitions', ...args, '--data-dir', data])
    expect(await run('list')).toMatchObject({ code: 1 })
    const added = await run('add', tree, '--json')
    expect(added.code).toBe(0)
    expect(JSON.parse(added.out)).toMatchObject({
      systems: 1,
      sensors: 5,
      unknown: 1,
      notTaken: [{ file: 'resources/definitions/os_discovery/buoy.yaml', why: 'BUOY-MIB::bNothing is unknown' }],
    })
    expect((await run('list')).out).toContain('Tide Buoy')
    expect((await run('show', 'buoy')).out).toContain('sensors of class state: 1')
    expect(JSON.parse((await run('show', 'buoy', '--json')).out)).toMatchObject({ os: 'buoy' })
    expect((await run('show', 'nothing')).err).toContain('no added definition for nothing')
    expect((await run('remove')).code).toBe(2)
    expect((await run('remove', '--yes')).code).toBe(0)
    expect((await run('list')).code).toBe(1)
  }, 120_000)

  test('check changes nothing, and a folder that is not an installation is refused by name', async () => {
    const { data, tree } = folders()
    const checked = await portlight(['definitions', 'check', tree, '--data-dir', data])
    expect(checked.out).toContain('BUOY-MIB::bNothing is unknown')
    expect((await portlight(['definitions', 'list', '--data-dir', data])).code).toBe(1)
    const wrong = await portlight(['definitions', 'add', data, '--data-dir', data])
    expect(wrong).toMatchObject({ code: 1 })
    expect(wrong.err).toContain('give the folder of a LibreNMS installation')
  }, 120_000)
})
