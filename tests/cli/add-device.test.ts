import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { findSnmpd, type Snmpd, startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'
import { folderWithDatabase, type Outcome, portlight } from './support.ts'

// The command reports the credentials with which a device was added. The agent is Debian's snmpd.

setDefaultTimeout(180_000)

const folder = await folderWithDatabase()
const run = (...args: string[]): Promise<Outcome> => portlight([...args, '--data-dir', folder.dataDir])
afterAll(() => folder.remove())

interface Explained {
  readonly up: boolean
  readonly statusReason: string
  readonly failure: { readonly failure: object } | null
  readonly events: readonly { readonly message: string }[]
}

async function explain(device: string): Promise<Explained> {
  const { out } = await run('device', 'explain', device, '--json')
  return JSON.parse(out) as Explained
}

const snmpd = findSnmpd()
describe.skipIf(snmpd === null)('device add', () => {
  let agent: Snmpd
  let add: (...args: string[]) => Promise<Outcome>
  beforeAll(async () => {
    agent = await startSnmpd(snmpd ?? '', () => '')
    add = (...args) => run('device', 'add', '127.0.0.1', '--snmp-port', String(agent.port), ...args)
    for (const [name, value] of [
      ['snmp.timeout', '0.3'],
      ['snmp.retries', '0'],
      ['snmp.community', 'sesame,public'],
    ] as const)
      expect((await run('config', 'set', name, value)).code).toBe(0)
  })
  afterAll(() => agent?.stop())

  test('a wrong community: the command reports which other credentials worked, without showing them', async () => {
    const added = await add('--community', 'guessed')
    expect(added.code).toBe(0)
    const words = 'v2c with community no. 2 of setting snmp.community; the given community was not accepted'
    expect(added.err).toContain(`127.0.0.1 answers to ${words}`)
    expect(added.err).not.toMatch(/public|guessed|sesame/)
    const { events } = await explain('127.0.0.1')
    expect(events.map(({ message }) => message)).toContain(`SNMP: answered to ${words}`)
    expect((await run('device', 'show', '127.0.0.1', '--json')).out).toContain('********')
    expect((await run('device', 'delete', '127.0.0.1', '--yes')).code).toBe(0)
  })

  test('--only tries no other credentials: with a wrong community nothing is added; the right one is reported as given', async () => {
    const refused = await add('--only', '--community', 'guessed')
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('could not connect to 127.0.0.1') })
    expect(JSON.parse((await run('device', 'list', '--json')).out)).toEqual([])
    const added = await add('--only', '--community', 'public')
    expect(added).toMatchObject({ code: 0, err: expect.stringContaining('answers to v2c with the given community\n') })
    expect((await run('device', 'delete', '127.0.0.1', '--yes')).code).toBe(0)
  })

  test.each([[['--only']], [['--only', '--snmp-version', 'v3', '--community', 'public']]])(
    '%p without credentials to try',
    async (args) => {
      expect(await add(...args)).toMatchObject({ code: 1, err: expect.stringContaining('none were given') })
    },
  )

  test('a v3 user unknown to the agent', async () => {
    const added = await add('--auth-name', 'mallory')
    expect(added.code).toBe(0)
    expect(added.err).toContain('community no. 2 of setting snmp.community; the given v3 user was not tried')
    expect((await run('device', 'delete', '127.0.0.1', '--yes')).code).toBe(0)
  })
})

test('a name that does not resolve is reported at once by the command, the event and explain', async () => {
  const added = await run('device', 'add', 'nowhere.invalid', '--force', '--community', 'x')
  expect(added).toMatchObject({
    code: 0,
    err: expect.stringContaining('nowhere.invalid is down: the name nowhere.invalid does not resolve'),
  })
  const explained = await explain('nowhere.invalid')
  expect(explained).toMatchObject({
    up: false,
    statusReason: 'icmp,snmp',
    failure: { failure: { kind: 'unresolved', hostname: 'nowhere.invalid' } },
  })
  expect(explained.events.map(({ message }) => message)).toContain('DNS: the name nowhere.invalid does not resolve')
  const polled = await run('device', 'poll', 'nowhere.invalid')
  expect(polled).toMatchObject({ code: 1, err: expect.stringContaining('the name nowhere.invalid does not resolve') })
})
