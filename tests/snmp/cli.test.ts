import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import dgram from 'node:dgram'
import { formatVarbind, varbindToJson } from '@portlight/snmp/format.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { startAgent, type TestAgent } from '../../packages/snmp/tests/support/agent.ts'
import { findSnmpd, startSnmpd } from '../../packages/snmp/tests/support/snmpd.ts'

const octets = (text: string): SnmpValue => ({ kind: 'OctetString', value: new TextEncoder().encode(text) })

describe('how values are printed', () => {
  const OID = '1.3.6.1.2.1.1.1.0'
  test.each([
    [octets('a "quoted" \\ name'), '"a \\"quoted\\" \\\\ name"', 'STRING: '],
    [octets('\u001b[31mred'), '1B 5B 33 31 6D 72 65 64', 'Hex-STRING: '],
    [{ kind: 'OctetString', value: Uint8Array.of(0, 255) }, '00 FF', 'Hex-STRING: '],
    [octets('Zürich'), '"Zürich"', 'STRING: '],
    [{ kind: 'TimeTicks', value: 8640000 * 2 + 4242 }, '(17284242) 2 days, 0:00:42.42', 'Timeticks: '],
    [{ kind: 'TimeTicks', value: 360000 * 25 }, '(9000000) 1 day, 1:00:00.00', 'Timeticks: '],
    [{ kind: 'Counter64', value: 2n ** 64n - 1n }, '18446744073709551615', 'Counter64: '],
    [{ kind: 'ObjectIdentifier', value: '1.3.6' }, '.1.3.6', 'OID: '],
    [{ kind: 'noSuchInstance' }, 'No Such Instance currently exists at this OID', ''],
  ] as const)('%p', (value, text, type) => {
    expect(formatVarbind({ oid: OID, value })).toBe(`.${OID} = ${type}${text}`)
  })

  test('JSON has exact Counter64 values, and octets that are not text', () => {
    expect(varbindToJson({ oid: OID, value: { kind: 'Counter64', value: 2n ** 64n - 1n } })).toMatchObject({
      value: '18446744073709551615',
    })
    expect(varbindToJson({ oid: OID, value: { kind: 'OctetString', value: Uint8Array.of(0, 255) } })).toMatchObject({
      value: null,
      hex: '00ff',
    })
  })
})

describe('portlight snmp', () => {
  let agent: TestAgent
  beforeAll(async () => {
    agent = await startAgent(() => ({
      '1.3.6.1.2.1.1.1.0': octets('a test agent'),
      '1.3.6.1.2.1.2.2.1.1.1': { kind: 'Integer32', value: 1 },
      '1.3.6.1.2.1.2.2.1.1.2': { kind: 'Integer32', value: 2 },
      '1.3.6.1.2.1.2.2.1.8.1': { kind: 'Integer32', value: 7 },
    }))
  })
  afterAll(() => agent.stop())

  async function portlight(...args: readonly string[]) {
    const script = `
      import { Command } from 'commander'
      import { registerSnmp } from ${JSON.stringify(`${import.meta.dir}/../../src/cli/snmp.ts`)}
      const program = new Command()
      registerSnmp(program)
      await program.parseAsync(process.argv.slice(1), { from: 'user' }).catch((error) => {
        console.error(error.message)
        process.exitCode = error.exitCode ?? 9
      })`
    const child = Bun.spawn([process.execPath, '-e', script, 'snmp', ...args], {
      cwd: import.meta.dir,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { out, err, code }
  }

  test('get prints as net-snmp does', async () => {
    const { out, code } = await portlight(
      'get',
      '--numeric',
      '--port',
      String(agent.port),
      '127.0.0.1',
      '.1.3.6.1.2.1.1.1.0',
      '1.3.6.1.2.1.1.9.0',
    )
    expect(out).toBe(
      '.1.3.6.1.2.1.1.1.0 = STRING: "a test agent"\n.1.3.6.1.2.1.1.9.0 = No Such Instance currently exists at this OID\n',
    )
    expect(code).toBe(0)
  })

  test.each(['walk', 'bulkwalk'])('%s prints the objects below, as JSON on request', async (verb) => {
    const { out } = await portlight(
      verb,
      '-v',
      '2c',
      '-c',
      'public',
      '--json',
      '--port',
      String(agent.port),
      '127.0.0.1',
      '1.3.6.1.2.1.2',
    )
    expect(JSON.parse(out)).toEqual([
      { oid: '1.3.6.1.2.1.2.2.1.1.1', type: 'Integer32', value: 1, name: 'IF-MIB::ifEntry.1.1' },
      { oid: '1.3.6.1.2.1.2.2.1.1.2', type: 'Integer32', value: 2, name: 'IF-MIB::ifEntry.1.2' },
      {
        oid: '1.3.6.1.2.1.2.2.1.8.1',
        type: 'Integer32',
        value: 7,
        name: 'IF-MIB::ifOperStatus.1',
        label: 'lowerLayerDown',
      },
    ])
  })

  test.each([
    [['get', 'sysDescr'], 'SNMPv2-MIB::sysDescr.0 = STRING: "a test agent"\n'],
    [['get', 'sysDescr.0'], 'SNMPv2-MIB::sysDescr.0 = STRING: "a test agent"\n'],
    [['get', 'IF-MIB::ifOperStatus.1'], 'IF-MIB::ifOperStatus.1 = INTEGER: lowerLayerDown(7)\n'],
    [['get', '.1.3.6.1.2.1.2.2.1.8.1'], 'IF-MIB::ifOperStatus.1 = INTEGER: lowerLayerDown(7)\n'],
    [['get', '--numeric', 'ifOperStatus.1'], '.1.3.6.1.2.1.2.2.1.8.1 = INTEGER: 7\n'],
    [['walk', 'ifOperStatus'], 'IF-MIB::ifOperStatus.1 = INTEGER: lowerLayerDown(7)\n'],
    [
      ['bulkwalk', 'ifTable'],
      'IF-MIB::ifEntry.1.1 = INTEGER: 1\nIF-MIB::ifEntry.1.2 = INTEGER: 2\nIF-MIB::ifOperStatus.1 = INTEGER: lowerLayerDown(7)\n',
    ],
    [['walk', 'sysDescr'], 'SNMPv2-MIB::sysDescr.0 = STRING: "a test agent"\n'],
  ])('%j accepts and prints names', async ([verb = '', ...args], shown) => {
    const { out, err, code } = await portlight(verb, '--port', String(agent.port), '127.0.0.1', ...args.toReversed())
    expect({ out, err, code }).toEqual({ out: shown, err: '', code: 0 })
  })

  test.each([
    ['ifOperStats.1', 'did you mean IF-MIB::ifOperStatus?'],
    ['IFDESCR.1', 'did you mean IF-MIB::ifDescr?'],
    ['BRIDGE-MIB::ifDescr.1', 'did you mean IF-MIB::ifDescr?'],
    ['nonsenseObject', 'use its OID'],
  ])('%s is not an object', async (object, hint) => {
    const { err, code } = await portlight('get', '127.0.0.1', object)
    expect({ err: err.trim(), code }).toEqual({
      err: `unknown object name ${object}; ${hint}`,
      code: 2,
    })
  })

  test.each(['walk', 'bulkwalk'])('%s of a silent agent is a timeout, not an empty table', async (verb) => {
    const silent = dgram.createSocket('udp4')
    await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve))
    try {
      const { port } = silent.address()
      const args = ['--timeout', '0.05', '--retries', '0', '--port', String(port), '127.0.0.1', 'ifTable']
      const { out, err, code } = await portlight(verb, ...args)
      expect({ out, err: err.trim(), code }).toEqual({
        out: '',
        err: `timeout: no response from 127.0.0.1 port ${port}; agents do not answer a wrong community, nor a host that their access list leaves out`,
        code: 1,
      })
    } finally {
      silent.close()
    }
  })

  test('walk of an instance prints it', async () => {
    const { out } = await portlight('walk', '--port', String(agent.port), '127.0.0.1', '1.3.6.1.2.1.1.1.0')
    expect(out).toContain('a test agent')
  })

  test('no answer is an error on stderr and an exit code', async () => {
    const { out, err, code } = await portlight(
      'get',
      '--timeout',
      '0.05',
      '--retries',
      '0',
      '--port',
      '1',
      '127.0.0.1',
      '1.3.6',
    )
    expect({ out, code }).toEqual({ out: '', code: 1 })
    expect(err).toContain('no response from 127.0.0.1 port 1')
  })

  test('TCP is refused with an explanation', async () => {
    const { err, code } = await portlight('get', '--transport', 'tcp', '127.0.0.1', '1.3.6')
    expect({ err: err.trim(), code }).toEqual({ err: 'SNMP over TCP is not supported; use udp or udp6', code: 2 })
  })

  const path = findSnmpd()
  test.skipIf(path === null)('v3, over IPv6, and a refusal that does not show the password', async () => {
    const snmpd = await startSnmpd(
      path ?? '',
      () => 'createUser who SHA-256 "authentic12" AES "private12"\nrouser who authpriv',
    )
    try {
      const v3 = ['-v', '3', '-u', 'who', '-a', 'sha-256', '-x', 'aes', '-X', 'private12', '--port', String(snmpd.port)]
      const good = await portlight('get', ...v3, '-A', 'authentic12', '::1', '1.3.6.1.2.1.1.5.0')
      expect(good.out).toBe('SNMPv2-MIB::sysName.0 = STRING: "portlight-test"\n')
      const bad = await portlight('get', ...v3, '-A', 'secret12345', '::1', '1.3.6.1.2.1.1.5.0')
      expect(bad).toMatchObject({ code: 1, out: '' })
      expect(bad.err).toContain('wrongDigest')
      expect(bad.err).not.toMatch(/secret12345|private12/)
    } finally {
      await snmpd.stop()
    }
  })
})
