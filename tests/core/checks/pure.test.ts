import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { quoted, splitArguments } from '../../../src/core/checks/arguments.ts'
import { builtinProbe } from '../../../src/core/checks/builtin.ts'
import { planCheck } from '../../../src/core/checks/plan.ts'
import { levelOf, parseThresholdRange } from '../../../src/core/checks/range.ts'
import { parseOutput, parsePerfdata } from '../../../src/core/checks/run/perfdata.ts'
import { type ServiceState, settle } from '../../../src/core/checks/run/state.ts'
import { createValues, unitsOf } from '../../../src/core/checks/run/values.ts'

describe('parameters are split as a shell splits words, and nothing is expanded', () => {
  const cases: readonly [text: string, list: readonly string[]][] = [
    ['', []],
    ['  -p 80\t-u /x  ', ['-p', '80', '-u', '/x']],
    ['-s \'a b\'"c d"e', ['-s', 'a bc de']],
    [`'it'"'"'s'`, ["it's"]],
    [`"a\\"b" "\\\\" "\\n"`, ['a"b', '\\', '\\n']],
    ['a\\ b \\"', ['a b', '"']],
    [`'' ""`, ['', '']],
    [
      '$HOME `id` $(id) ; rm -rf / | cat > x & *',
      ['$HOME', '`id`', '$(id)', ';', 'rm', '-rf', '/', '|', 'cat', '>', 'x', '&', '*'],
    ],
    ['--data=été', ['--data=été']],
  ]
  test.each(cases)('%j', (text, list) => {
    expect(splitArguments(text)).toEqual({ kind: 'arguments', list })
  })

  test.each(["'open", '"open', 'end\\', 'a\nb', 'a\0b', 'x '.repeat(101), 'x'.repeat(4097), '"a\\"'])(
    'refused: %j',
    (text) => {
      expect(splitArguments(text)).toMatchObject({ kind: 'refused', reason: expect.any(String) })
    },
  )

  test('quoting and splitting gives the original argument', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab \'"\\$`;é-='), maxLength: 12 })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (list) => {
        expect(splitArguments(list.map(quoted).join(' '))).toEqual({ kind: 'arguments', list })
      }),
    )
  })
})

describe('ranges', () => {
  const cases: readonly [range: string, quiet: readonly number[], alerting: readonly number[]][] = [
    ['10', [0, 10], [-1, 10.1]],
    ['10:', [10, 1e9], [9.9]],
    ['~:10', [-1e9, 10], [10.1]],
    ['10:20', [10, 20], [9, 21]],
    ['@10:20', [9, 21], [10, 20]],
    ['1.5', [1.5], [1.6]],
    ['-5:-1', [-3], [0, -6]],
  ]
  test.each(cases)('%s', (text, quiet, alerting) => {
    const range = parseThresholdRange(text)
    expect(quiet.map((value) => levelOf(value, range, null))).toEqual(quiet.map(() => 0))
    expect(alerting.map((value) => levelOf(value, null, range))).toEqual(alerting.map(() => 2))
    expect(levelOf(Number.NaN, range, range)).toBe(0)
  })
  test.each(['', '@', 'x', '20:10', '1:2:3', '1,5', '10%'])('not a range: %j', (text) => {
    expect(parseThresholdRange(text)).toBeNull()
  })
})

describe('performance data', () => {
  const cases: readonly [text: string, want: readonly (readonly [string, number, string])[]][] = [
    ['time=0.001s;;;0;10', [['time', 0.001, 's']]],
    [
      "'a b'=1MB;2;3 'it''s'=-.5% c=1e3c",
      [
        ['a b', 1, 'MB'],
        ["it's", -0.5, '%'],
        ['c', 1000, 'c'],
      ],
    ],
    [
      'x=U y=U;1;2',
      [
        ['x', Number.NaN, ''],
        ['y', Number.NaN, ''],
      ],
    ],
    ["'/var/log=x'=5;@1:2;~:3;;", [['/var/log=x', 5, '']]],
    ['bad good=1 =2 worse=abc open=', [['good', 1, '']]],
    ["'never closed=1", []],
    ['same=1 same=2', [['same', 1, '']]],
    [
      'huge=1e999 v=1.2.3 w=5µs',
      [
        ['huge', Number.NaN, ''],
        ['w', 5, 'µs'],
      ],
    ],
  ]
  test.each(cases)('%s', (text, want) => {
    expect(parsePerfdata(text).map(({ label, value, unit }) => [label, value, unit] as const)).toEqual([...want])
  })

  test('follows the bar in the first line, and a bar in a later line to the end', () => {
    const found = parseOutput('OK - fine | a=1\nmore\nlong | b=2\nc=3\n')
    expect(found.text).toBe('OK - fine')
    expect(found.measured.map(({ label }) => label)).toEqual(['a', 'b', 'c'])
  })

  test('hostile output is bounded and made one line', () => {
    const many = Array.from({ length: 5000 }, (_, i) => `n${i}=1`).join(' ')
    expect(parseOutput(`x|${many}`).measured).toHaveLength(64)
    expect(parseOutput(`\u001b[31mred\u0000 \ud800${'y'.repeat(10_000)}`).text.length).toBeLessThanOrEqual(1024)
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { text: line, measured } = parseOutput(text)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is tested
        expect(line).not.toMatch(/[\u0000-\u001f\u007f]/)
        for (const { value } of measured) expect(value).not.toBe(Number.POSITIVE_INFINITY)
      }),
    )
  })

  test('texts that the database would refuse are cleaned', () => {
    const { text, measured } = parseOutput(`a\u0000b\ud83d | 'x\u0000y'=1\u0007 ${'l'.repeat(200)}=2`)
    expect(text).toBe('a b\ufffd')
    expect(measured).toEqual([{ label: 'x y', value: 1, unit: '' }])
  })

  test('a counter is stored as rate per second, unknown once after a reset', () => {
    const values = createValues()
    const at = (value: number, ms: number) => values.of(1, [{ label: 'in', value, unit: 'c' }], ms)['in']
    expect([at(100, 1000), at(160, 31_000), at(10, 61_000), at(40, 91_000)]).toEqual([Number.NaN, 2, Number.NaN, 1])
    expect(values.of(1, [{ label: 'uptime', value: 7, unit: 'c' }], 0)).toEqual({ uptime: 7 })
    expect(unitsOf([{ label: 'in', value: 1, unit: 'c' }])).toBe('{"in":"c"}')
    expect(unitsOf([])).toBeNull()
  })
})

describe('soft and hard states', () => {
  const OK: ServiceState = { status: 0, changed: 100, message: 'fine', attempt: 0, checked: true }
  const after = (results: readonly (0 | 1 | 2 | 3)[], from = OK, attempts = 3) => {
    let state = from
    let atS = 1000
    for (const status of results) {
      state = settle(state, { status, message: `m${status}` }, { attempts, atS: atS++ }).state
    }
    return state
  }

  test('ok becomes critical with the third consecutive failed check', () => {
    expect(after([2, 2])).toEqual({ ...OK, attempt: 2 })
    expect(after([2, 1, 2])).toEqual({ status: 2, changed: 1002, message: 'm2', attempt: 0, checked: true })
    expect(after([2, 2, 0])).toMatchObject({ status: 0, changed: 100, attempt: 0 })
    expect(after([2, 2, 0, 2, 2])).toMatchObject({ status: 0, attempt: 2 })
  })
  test('a service that is not ok takes every result at once', () => {
    expect(after([1], { ...OK, status: 2 })).toMatchObject({ status: 1, changed: 1000 })
    expect(after([0], { ...OK, status: 2 })).toMatchObject({ status: 0, changed: 1000 })
    expect(after([2, 2], { ...OK, status: 2 })).toMatchObject({ status: 2, changed: 100, message: 'm2' })
  })
  test('the first result counts at once, and with one attempt every result does', () => {
    expect(after([2], { ...OK, status: 3, checked: false })).toMatchObject({ status: 2, changed: 1000, checked: true })
    expect(after([2], OK, 1)).toMatchObject({ status: 2, changed: 1000 })
  })
})

describe('plans', () => {
  const plan = (type: string, param: string, program: string | null = null, prefer: 'builtin' | 'plugin' = 'builtin') =>
    planCheck({ type, address: '192.0.2.1', param }, { prefer, program })

  test('the built-in check is used if it understands the parameters, else the plugin', () => {
    expect(plan('tcp', '-p 80', '/x/check_tcp')).toMatchObject({
      kind: 'builtin',
      probe: { protocol: 'tcp', port: 80 },
    })
    expect(plan('tcp', '-p 80 -j', '/x/check_tcp')).toEqual({
      kind: 'plugin',
      path: '/x/check_tcp',
      args: ['-H', '192.0.2.1', '-p', '80', '-j'],
    })
    expect(plan('tcp', '-p 80', '/x/check_tcp', 'plugin')).toMatchObject({ kind: 'plugin' })
    expect(plan('tcp', '-p 80', null, 'plugin')).toMatchObject({ kind: 'builtin' })
  })
  test.each([
    ['load', '-w 5 -c 9', ['-w', '5', '-c', '9']],
    ['http', '-H www.example.net -S --sni', ['-I', '192.0.2.1', '-H', 'www.example.net', '-S', '--sni']],
    ['dns', '-H www.example.net', ['-s', '192.0.2.1', '-H', 'www.example.net']],
    ['custom', '-x "a b"', ['-H', '192.0.2.1', '-x', 'a b']],
    ['dhcp', '-i lo', ['-i', 'lo']],
    ['oracle', '--tns x', ['--tns', 'x']],
    ['nwstat', '', ['-H', '192.0.2.1']],
    ['dns', 'www.example.net -a 192.0.2.9', ['-s', '192.0.2.1', '-H', 'www.example.net', '-a', '192.0.2.9']],
    ['dns', '', ['-s', '192.0.2.1', '-H', 'localhost']],
    ['icmp', '192.0.2.1', ['-H', '192.0.2.1']],
    ['icmp', '192.0.2.2', ['-H', '192.0.2.1', '192.0.2.2']],
  ])('arguments of check_%s %s', (type, param, args) => {
    expect(plan(type, param, '/x/p', 'plugin')).toEqual({ kind: 'plugin', path: '/x/p', args })
  })
  test.each([
    ['tcp', '', 'tcp needs -p PORT'],
    ['tcp', '-p 99999', '99999 is not a number from 1 to 65535'],
    ['tcp', '-p', '-p needs a value'],
    ['tcp', '-p 1 -w x', 'x is not a range, such as 5 or 1:5'],
    ['http', '-u noslash', '-u must be a path that begins with / and has no blanks'],
    ['http', '--nonsense', 'the built-in check http has no option --nonsense'],
    ['http', `-k "X: a\tb" -H 'a b'`, '-H a b is not a host name'],
    ['snmp', '-o sysName.0', 'snmp needs -o OID, a numeric OID with its instance'],
    ['icmp', '-w 5', '-w must be MILLISECONDS,LOSS%, such as 200,40%'],
    ['unheardof', '', 'there is no program check_unheardof in the plugin folders'],
    ['ssh', "'", "a ' in the parameters is not closed"],
  ])('refused: %s %s', (type, param, reason) => {
    expect(plan(type, param)).toEqual({ kind: 'refused', reason })
  })
  test('parameters as they are written for LibreNMS mean the same to the built-in checks', () => {
    expect(plan('dns', 'www.example.net')).toMatchObject({ kind: 'builtin', probe: { name: 'www.example.net' } })
    expect(plan('dns', '')).toMatchObject({ kind: 'builtin', probe: { name: 'localhost' } })
    expect(plan('dns', '-q MX -l example.net')).toMatchObject({ probe: { name: 'example.net', record: 'MX' } })
    expect(plan('icmp', '192.0.2.1 -n 3')).toMatchObject({ kind: 'builtin', probe: { count: 3 } })
    expect(plan('telnet', '')).toMatchObject({ kind: 'builtin', probe: { protocol: 'tcp', port: 23, tls: 'none' } })
    expect(plan('https', '-p 8443 --sni')).toMatchObject({ kind: 'builtin', probe: { port: 8443, tls: 'start' } })
  })
  test.each([
    ['http', '-p 99999', '99999 is not a number from 1 to 65535'],
    ['http', '-p', '-p needs a value'],
    ['smtp', '-p abc', 'abc is not a number from 1 to 65535'],
  ])('refused, although there is a plugin: %s %s', (type, param, reason) => {
    expect(plan(type, param, '/x/p')).toEqual({ kind: 'refused', reason })
    expect(plan(type, param, '/x/p', 'plugin')).toEqual({ kind: 'refused', reason })
  })
  test.each(['../../bin/sh', '-x', '', 'a/b', 'a b', '.hidden', 'a\0b'])('not a type: %j', (type) => {
    expect(plan(type, '', '/x/p')).toMatchObject({ kind: 'refused' })
  })
  test.each(['-oProxyCommand=x', 'a b', 'http://x', '', '[::1]', 'a\nb'])('not an address: %j', (address) => {
    expect(planCheck({ type: 'ssh', address, param: '' }, { prefer: 'builtin', program: '/x/p' })).toMatchObject({
      kind: 'refused',
    })
  })
  test('the server name is that of the connection, unless the parameters give another', () => {
    const at = (address: string, param: string) =>
      planCheck({ type: 'https', address, param }, { prefer: 'builtin', program: null })
    expect(at('www.example.net', '')).toMatchObject({
      probe: { host: 'www.example.net', serverName: 'www.example.net' },
    })
    expect(at('www.example.net', '-H other.net')).toMatchObject({
      probe: { host: 'other.net', serverName: 'other.net' },
    })
    expect(at('192.0.2.1', '')).toMatchObject({ probe: { host: null, serverName: null } })
  })
  test('no header can be injected', () => {
    const found = builtinProbe('http', ['-k', 'X: a\r\nY: b'])
    expect(found.kind).toBe('refused')
  })
})
