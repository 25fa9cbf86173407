import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { makeDatabase, type Outcome, portlight, temporaryFolder } from './support.ts'

setDefaultTimeout(60_000)

// One embedded database for the file; each command starts and stops it, as in normal use.
const folder = temporaryFolder()
beforeAll(() => makeDatabase(dataDir))
afterAll(() => folder.remove())
const dataDir = join(folder.path, 'data')

function run(...args: string[]): Promise<Outcome> {
  return portlight([...args, '--data-dir', dataDir])
}

describe('usage', () => {
  test.each([
    { args: [], says: 'Usage: portlight' },
    { args: ['tokn'], says: 'Did you mean token?' },
    { args: ['token'], says: 'Usage: portlight token' },
    { args: ['token', 'create'], says: "required option '--user <name>'" },
    { args: ['token', 'revoke', 'x'], says: 'whole number' },
    { args: ['user', 'add', 'a', '--role', 'king'], says: 'Allowed choices' },
    { args: ['user', 'grant', 'a'], says: 'give at least one --device' },
    { args: ['config', 'get', 'poller.intervall'], says: 'did you mean poller.interval?' },
    { args: ['config', 'check', '--set', 'poller.interval=1'], says: 'expected an integer from 5 to 86400' },
    { args: ['config', 'check', '--set', 'nonsense'], says: '--set must be NAME=VALUE' },
    { args: ['serve', '--port', '99999'], says: 'port: expected an integer from 0 to 65535' },
  ])('$args is refused with code 2', async ({ args, says }) => {
    const { code, out, err } = await portlight(args)
    expect(err).toContain(says)
    expect(code).toBe(2)
    expect(out).toBe('')
  })

  test.each([
    { args: ['--help'] },
    { args: ['help'] },
    { args: ['token', '--help'] },
    { args: ['--version'] },
    { args: ['version', '--json'] },
  ])('$args works', async ({ args }) => {
    const { code, out } = await portlight(args)
    expect(code).toBe(0)
    expect(out).not.toBe('')
  })

  test('an invalid setting in the environment is reported by name, with code 1', async () => {
    const { code, err } = await portlight(['config', 'check'], { env: { PORTLIGHT_PORT: 'eight thousand' } })
    expect(code).toBe(1)
    expect(err).toContain('PORTLIGHT_PORT: port: expected an integer from 0 to 65535')
  })
})

describe('on a data folder without a running server', () => {
  test('users: add, list, passwd, role, disable, delete', async () => {
    const added = await run('user', 'add', 'alice', '--role', 'admin')
    expect(added.code).toBe(0)
    expect(added.out.trim()).toMatch(/^\S{16}$/)
    expect((await run('user', 'add', 'alice')).code).toBe(1)
    expect(
      (await portlight(['user', 'passwd', 'alice', '--password-stdin', '--data-dir', dataDir], { input: 'short\n' }))
        .code,
    ).toBe(1)
    for (const change of [
      ['delete', 'alice', '--yes'],
      ['disable', 'alice'],
      ['role', 'alice', 'user'],
    ]) {
      expect(await run('user', ...change)).toMatchObject({
        code: 1,
        err: expect.stringContaining('last enabled admin'),
      })
    }
    await run('user', 'add', 'root', '--role', 'admin', '--no-password')
    expect((await run('user', 'role', 'alice', 'user', 'global-read')).code).toBe(0)
    expect((await run('user', 'disable', 'alice')).code).toBe(0)
    const [alice] = JSON.parse((await run('user', 'list', '--json')).out)
    expect(alice).toMatchObject({ username: 'alice', enabled: 0, roles: ['global-read', 'user'] })
    expect(JSON.stringify(alice)).not.toContain('argon2')
    expect((await run('user', 'delete', 'alice', '--yes')).code).toBe(0)
    expect(JSON.parse((await run('user', 'list', '--json')).out)).toMatchObject([{ username: 'root' }])
  })

  test('token create --for chooses the dialect of the program, unless --dialect is given', async () => {
    await run('user', 'add', 'inventory', '--no-password')
    const create = (...args: string[]) => run('token', 'create', '--user', 'inventory', ...args)
    const refused = await create('--for', 'word-processor')
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('ansible') })
    for (const args of [
      ['--for', 'ansible'],
      ['--for', 'own'],
      ['--for', 'terraform', '--dialect', 'documented'],
    ])
      expect((await create(...args)).code).toBe(0)
    const tokens = JSON.parse((await run('token', 'list', '--user', 'inventory', '--json')).out)
    expect(tokens.map(({ dialect }: { dialect: unknown }) => dialect)).toEqual(['librenms', null, 'documented'])
    expect((await run('user', 'delete', 'inventory', '--yes')).code).toBe(0)
  }, 60_000)

  test('token create prints only the token on stdout', async () => {
    await run('user', 'add', 'bob', '--no-password')
    const { code, out } = await run('token', 'create', '--user', 'bob', '--description', 'x', '--dialect', 'librenms')
    expect(code).toBe(0)
    expect(out).toMatch(/^[0-9a-f]{32}\n$/)
    const [token] = JSON.parse((await run('token', 'list', '--json')).out)
    expect(token).toMatchObject({
      username: 'bob',
      description: 'x',
      dialect: 'librenms',
      scope: 'write',
      expires_at: null,
    })
    const changed = await run('token', 'set', String(token.id), '--scope', 'read', '--expires', '90d')
    expect(changed.code).toBe(0)
    const [after] = JSON.parse((await run('token', 'list', '--json')).out)
    expect(after.scope).toBe('read')
    expect(Date.parse(after.expires_at) - Date.now()).toBeGreaterThan(89 * 86_400_000)
    expect((await run('token', 'set', String(token.id), '--expires', 'soon')).err).toContain('is not a valid expiry')
    expect((await run('token', 'set', String(token.id))).code).not.toBe(0)
    expect(JSON.stringify(token)).not.toContain(out.trim())
    expect((await run('token', 'revoke', String(token.id), '--yes')).code).toBe(0)
    expect((await run('token', 'revoke', String(token.id), '--yes')).code).toBe(1)
  })

  test('a token for a user who does not exist: message on stderr, nothing on stdout, code 1', async () => {
    const { code, out, err } = await run('token', 'create', '--user', 'nobody')
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toContain('nobody')
  })

  test('config: a stored value applies until it is unset, and flags override it', async () => {
    expect((await run('config', 'set', 'poller.interval', '60')).code).toBe(0)
    expect((await run('config', 'get', 'poller.interval')).out.trim()).toBe('60')
    expect((await run('config', 'get', 'poller.interval', '--set', 'poller.interval=10')).out.trim()).toBe('10')
    expect((await run('config', 'set', 'poller.interval', '1')).code).toBe(1)
    expect((await run('config', 'unset', 'poller.interval')).code).toBe(0)
    expect((await run('config', 'get', 'poller.interval')).out.trim()).toBe('300')
  })

  test('config list masks secrets', async () => {
    await run('config', 'set', 'snmp.community', 'geheim')
    const { out } = await run('config', 'list', '--changed', '--json')
    expect(out).toContain('snmp.community')
    expect(out).not.toContain('geheim')
  })

  test('settings needed before the database is open cannot be stored', async () => {
    const { code, err } = await run('config', 'set', 'port', '80')
    expect(code).toBe(1)
    expect(err).toContain('cannot be stored')
  })

  test('devices: forced add, list, show without the community, delete', async () => {
    expect(
      (await run('device', 'add', '127.0.0.9', '--force', '--community', 'geheim', '--snmp-version', 'v2c')).code,
    ).toBe(0)
    expect((await run('device', 'list')).out).toContain('not polled yet')
    const { out } = await run('device', 'show', '127.0.0.9', '--json')
    expect(JSON.parse(out)).toMatchObject({ hostname: '127.0.0.9', community: '********', snmpver: 'v2c' })
    expect((await run('device', 'delete', '127.0.0.9', '--yes')).code).toBe(0)
    expect((await run('device', 'show', '127.0.0.9')).code).toBe(1)
  })

  test('migrate a second time changes nothing', async () => {
    expect(JSON.parse((await run('migrate', '--json')).out)).toMatchObject({ applied: [] })
  })

  test('doctor finds the database and its mode', async () => {
    const { code, out } = await run('doctor', '--json')
    const findings: { what: string; state: string }[] = JSON.parse(out)
    expect(findings.find((finding) => finding.what === 'database')).toMatchObject({ state: 'ok' })
    expect(code).toBe(0)
  })

  test('doctor reports a database that does not answer, with code 1', async () => {
    const { code, out } = await portlight(['doctor', '--database-url', 'postgres://nobody:geheim@127.0.0.1:1/x'])
    expect(code).toBe(1)
    expect(out).toContain('BAD   database')
    expect(out).not.toContain('geheim')
  })
})

test('no command leaves a database server running', async () => {
  await run('token', 'list')
  const postmaster = Bun.file(join(dataDir, 'postgres', 'data', 'postmaster.pid'))
  expect(await postmaster.exists()).toBe(false)
})
