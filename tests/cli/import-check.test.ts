import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TestApi, testApi } from '../support/api.ts'
import { portlight, temporaryFolder } from './support.ts'

const folder = temporaryFolder()
let there: TestApi
let here: TestApi
beforeAll(async () => {
  there = await testApi()
  here = await testApi()
})
afterAll(async () => {
  folder.remove()
  await Promise.all([there.drop(), here.drop()])
})

/** Serves the API on a free port, and writes a token for it to a file. */
async function serve(api: TestApi, name: string) {
  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => api.app.fetch(request) })
  const file = join(folder.path, name)
  const { token } = await api.token(['admin'])
  await Bun.write(file, `${token}\n`)
  return { url: `http://127.0.0.1:${server.port}`, file, token, stop: () => server.stop(true) }
}

test('import check compares devices and ports of two installations, and lists what differs or is missing', async () => {
  for (const { store } of [there, here]) {
    await store.sql`insert into devices (device_id, hostname, os) values (42, 'core', 'junos'), (43, 'edge', 'ios')`
    await store.sql`insert into ports (port_id, device_id, "ifIndex", "ifName") values (4711, 42, 1, 'ge-0/0/0')`
  }
  const [old, own] = [await serve(there, 'old'), await serve(here, 'own')]
  try {
    const check = () =>
      portlight(
        ['import', 'check', '--librenms', old.url, '--token-file', old.file, '--portlight', own.url].concat(
          '--portlight-token-file',
          own.file,
        ),
      )
    const same = await check()
    expect(same).toMatchObject({ code: 0, err: '' })
    expect(same.out).toContain('devices: 2 there, 2 here, 2 the same, 0 different, 0 missing here, 0 only here')
    expect(same.out.trimEnd()).toEndWith('no differences')
    expect(same.out).toContain('ports: 1 there, 1 here, 1 the same, 0 different, 0 missing here, 0 only here')

    await here.store.sql`update ports set "ifName" = 'ge-0/0/1' where port_id = 4711`
    await here.store.sql`delete from devices where device_id = 43`
    const other = await check()
    expect(other.code).toBe(3)
    expect(other.out).toContain('missing here: 43')
    expect(other.out).toContain('4711 ifName: "ge-0/0/0" there, "ge-0/0/1" here')
    expect(other.out + other.err).not.toContain(old.token)

    await Bun.write(old.file, 'no token\n')
    expect(await check()).toMatchObject({ code: 1, err: expect.stringContaining('status 401') })
  } finally {
    await Promise.all([old.stop(), own.stop()])
  }
})
