import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newProfile } from '../src/profile.ts'
import { openSession } from '../src/session.ts'
import type { SnmpTarget } from '../src/target.ts'
import { createTransport, type Transport } from '../src/transport.ts'
import { targetAt } from './support/agent.ts'
import { findSnmpd, type Snmpd, startSnmpd } from './support/snmpd.ts'

const AUTH = ['MD5', 'SHA', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512'] as const
const PRIV = ['DES', 'AES', 'AES-192', 'AES-256', 'AES-192-C', 'AES-256-C'] as const
const PAIRS = AUTH.flatMap((auth) => [null, ...PRIV].map((priv) => ({ auth, priv, user: `${auth}_${priv ?? 'none'}` })))
const SYS_NAME = '1.3.6.1.2.1.1.5.0'
const SYSTEM = '1.3.6.1.2.1.1'

const path = findSnmpd()
const tool = Bun.which('snmpget')

function config(port: number): string {
  const users = PAIRS.flatMap(({ auth, priv, user }) => [
    `createUser ${user} ${auth} "authentic12"${priv === null ? '' : ` ${priv} "private12"`}`,
    `rouser ${user} ${priv === null ? 'authnopriv' : 'authpriv'}`,
  ])
  // a context that is a proxy to the agent itself
  return [
    ...users,
    'createUser open',
    'rouser open noauth',
    `proxy -Cn mirror -v 2c -c public 127.0.0.1:${port} .1.3.6.1.2.1.1`,
  ].join('\n')
}

describe.skipIf(path === null)('against snmpd', () => {
  let snmpd: Snmpd
  let transport: Transport

  beforeAll(async () => {
    snmpd = await startSnmpd(path ?? '', config)
    transport = await createTransport()
  })
  afterAll(async () => {
    transport?.close()
    await snmpd?.stop()
  })

  const target = (changes: Partial<SnmpTarget> = {}) => targetAt(snmpd.port, { timeout: 1, retries: 2, ...changes })
  const user = (name: string, auth: string, priv: string | null): Partial<SnmpTarget> => ({
    snmpver: 'v3',
    authlevel: priv === null ? 'authNoPriv' : 'authPriv',
    authname: name,
    authalgo: auth,
    authpass: 'authentic12',
    cryptoalgo: priv,
    cryptopass: priv === null ? null : 'private12',
  })
  const SHA_AES = user('SHA_AES', 'SHA', 'AES')
  const sysName = (value: Uint8Array) => ({ oid: SYS_NAME, value: { kind: 'OctetString' as const, value } })
  const NAME = sysName(new TextEncoder().encode('portlight-test'))

  test.each(['v1', 'v2c'] as const)('%s: GET, GETNEXT and a walk', async (snmpver) => {
    const session = openSession(transport, target({ snmpver }))
    expect(await session.get([SYS_NAME])).toEqual({ kind: 'answer', varbinds: [NAME] })
    expect(await session.getNext(['1.3.6.1.2.1.1.5'])).toEqual({ kind: 'answer', varbinds: [NAME] })
    const walk = await session.walkColumn(SYSTEM)
    expect(walk.kind).toBe('complete')
    if (walk.kind === 'complete') expect(walk.cells.get('5.0')).toEqual(NAME.value)
  })

  test('v1 and v2c walk the same rows', async () => {
    const [a, b] = await Promise.all(
      (['v1', 'v2c'] as const).map((snmpver) =>
        openSession(transport, target({ snmpver })).walkColumn('1.3.6.1.2.1.2.2.1.1'),
      ),
    )
    expect(a).toEqual(b)
    expect(a?.kind).toBe('complete')
  })

  test('a wrong community gets no answer', async () => {
    const session = openSession(transport, target({ community: 'wrong', timeout: 0.05, retries: 1 }))
    expect(await session.get([SYS_NAME])).toEqual({ kind: 'timeout' })
  })

  test('an absent instance is an exception, in v1 too', async () => {
    for (const snmpver of ['v1', 'v2c'] as const) {
      const answer = await openSession(transport, target({ snmpver })).get(['1.3.6.1.2.1.1.99.0', SYS_NAME])
      expect(answer).toEqual({
        kind: 'answer',
        varbinds: [expect.objectContaining({ value: { kind: 'noSuchInstance' } }), NAME],
      })
    }
  })

  test('udp6', async () => {
    const session = openSession(transport, target({ address: '::1', transport: 'udp6' }))
    expect(await session.get([SYS_NAME])).toEqual({ kind: 'answer', varbinds: [NAME] })
  })

  test('an IPv6 address may be in any notation', async () => {
    const session = openSession(transport, target({ address: '0:0:0:0:0:0:0:1', transport: 'udp6' }))
    expect(await session.get([SYS_NAME])).toEqual({ kind: 'answer', varbinds: [NAME] })
  })

  test.each(PAIRS)('v3 $auth $priv', async ({ auth, priv, user: name }) => {
    const session = openSession(transport, target(user(name, auth, priv)))
    const answer = await session.get([SYS_NAME])
    if (answer.kind !== 'answer' && !(await toolCan(auth, priv, name))) {
      console.warn(`SKIPPED: this snmpd has no ${auth} with ${priv ?? 'no privacy'}`)
      return
    }
    expect(answer).toEqual({ kind: 'answer', varbinds: [NAME] })
    expect((await session.walkColumn(SYSTEM)).kind).toBe('complete')
  })

  /** Whether net-snmp's own client supports these algorithms, to tell a missing algorithm from a bug of ours. */
  async function toolCan(auth: string, priv: string | null, name: string): Promise<boolean> {
    if (tool === null) return false
    const secrets = ['-a', auth, '-A', 'authentic12', ...(priv === null ? [] : ['-x', priv, '-X', 'private12'])]
    const level = priv === null ? 'authNoPriv' : 'authPriv'
    const child = Bun.spawn([tool, '-v3', '-u', name, '-l', level, ...secrets, `127.0.0.1:${snmpd.port}`, SYS_NAME], {
      env: { ...process.env, MIBS: '' },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    return (await child.exited) === 0
  }

  test('v3 noAuthNoPriv', async () => {
    const session = openSession(transport, target({ snmpver: 'v3', authlevel: 'noAuthNoPriv', authname: 'open' }))
    expect(await session.get([SYS_NAME])).toEqual({ kind: 'answer', varbinds: [NAME] })
  })

  test.each([
    ['a wrong password', { authpass: 'notauthentic' }, 'wrongDigest'],
    ['an unknown user', { authname: 'nobody' }, 'unknownUserName'],
    ['a wrong privacy password', { cryptopass: 'notprivate12' }, 'decryptionError'],
  ] as const)('%s is refused, with the reason', async (_name, changes, reason) => {
    const answer = await openSession(transport, target({ ...SHA_AES, ...changes })).get([SYS_NAME])
    // an agent that cannot decrypt may also stay silent
    if (reason === 'decryptionError') expect(['refused', 'timeout']).toContain(answer.kind)
    else expect(answer).toEqual({ kind: 'refused', reason })
  })

  test('an engine is discovered once for all sessions of a profile', async () => {
    const profile = newProfile()
    const first = openSession(transport, target(SHA_AES), { profile })
    await first.get([SYS_NAME])
    const second = openSession(transport, target(SHA_AES), { profile })
    await second.get([SYS_NAME])
    expect([first.stats.requests, second.stats.requests]).toEqual([2, 1])
  })

  test('a clock outside the time window is corrected', async () => {
    const profile = newProfile()
    await openSession(transport, target(SHA_AES), { profile }).get([SYS_NAME])
    const { engine } = profile
    if (engine === null) throw new Error('no engine')
    engine.boots -= 1
    engine.time = 0
    expect(await openSession(transport, target(SHA_AES), { profile }).get([SYS_NAME])).toEqual({
      kind: 'answer',
      varbinds: [NAME],
    })
    expect(profile.engine?.time).toBeGreaterThan(-1)
  })

  test('an agent whose engineID has changed is discovered again', async () => {
    const profile = newProfile()
    profile.engine = { engineID: Uint8Array.fromHex('80001f8880aabbccdd'), boots: 1, time: 1, atMs: performance.now() }
    const answers = await Promise.all(
      [1, 2, 3].map(() => openSession(transport, target(SHA_AES), { profile }).get([SYS_NAME])),
    )
    for (const answer of answers) expect(answer).toEqual({ kind: 'answer', varbinds: [NAME] })
  })

  test('a context is read, and an unknown one is not answered from the default one', async () => {
    const mirror = await openSession(transport, target(SHA_AES), { context: 'mirror' }).get([SYS_NAME])
    expect(mirror).toEqual({ kind: 'answer', varbinds: [NAME] })
    const unknown = openSession(transport, target({ ...SHA_AES, timeout: 0.1, retries: 0 }), { context: 'nowhere' })
    // snmpd does not answer; other agents send a Report
    expect(['timeout', 'refused']).toContain((await unknown.get([SYS_NAME])).kind)
  })

  test.each([
    ['an unknown algorithm', { authalgo: 'MD4' }, 'unsupported'],
    ['no password', { authpass: null }, 'invalid'],
    ['a name instead of an address', { address: 'localhost' }, 'invalid'],
    ['an IPv6 address over udp', { address: '::1' }, 'invalid'],
  ] as const)('%s: no session, and no secret in the error', (_name, changes, kind) => {
    const open = () => openSession(transport, target({ ...SHA_AES, ...changes }))
    expect(open).toThrow(expect.objectContaining({ kind }))
    expect(() => open()).toThrow(
      expect.not.objectContaining({ message: expect.stringMatching(/authentic12|private12/) }),
    )
  })

  test('a walk returns the same as snmpbulkwalk', async () => {
    const walker = Bun.which('snmpbulkwalk')
    if (walker === null) {
      console.warn('SKIPPED: snmpbulkwalk is not installed (Debian package snmp)')
      return
    }
    // tables that do not change while they are read
    for (const root of ['1.3.6.1.2.1.2.2.1.2', '1.3.6.1.6.3.16', '1.3.6.1.2.1.1.9']) {
      const child = Bun.spawn([walker, '-v2c', '-c', 'public', '-On', '-Oq', `127.0.0.1:${snmpd.port}`, root], {
        env: { ...process.env, MIBS: '' },
        stdout: 'pipe',
        stderr: 'ignore',
      })
      const lines = (await new Response(child.stdout).text()).split('\n').filter((line) => line.startsWith('.'))
      // snmpbulkwalk prints the last object of the MIB twice
      const theirs = [...new Set(lines.map((line) => line.split(' ')[0] ?? ''))]
      const walk = await openSession(transport, target()).walkColumn(root)
      const ours = walk.kind === 'complete' ? [...walk.cells.keys()].map((index) => `.${root}.${index}`) : walk
      expect(ours).toEqual(theirs)
    }
  })
})
