import { expect, test } from 'bun:test'
import { assembleRows, col, mibTable, octetText, readAs } from '../src/table.ts'
import type { SnmpValue } from '../src/value.ts'

const octets = (...bytes: number[]): SnmpValue => ({ kind: 'OctetString', value: Uint8Array.from(bytes) })
const text = (value: string): SnmpValue => ({ kind: 'OctetString', value: new TextEncoder().encode(value) })
const table = mibTable('test', '1.3.6.1.4.1.99999.1', {
  number: col(1, 'Integer'),
  name: col(2, 'DisplayString'),
  mac: col(3, 'PhysAddress'),
  address: col(4, 'IpAddress'),
  counter: col(5, 'Counter64'),
})

test.each([
  { name: 'text where a number belongs', value: text('unknown'), syntax: 'Integer' },
  { name: 'no text where a number belongs', value: text(''), syntax: 'Integer' },
  { name: 'an infinite number', value: text('Infinity'), syntax: 'Integer' },
  { name: 'an address of three octets', value: octets(10, 0, 1), syntax: 'IpAddress' },
  { name: 'a negative counter', value: { kind: 'Integer32', value: -1 }, syntax: 'Counter64' },
  { name: 'an OID where a number belongs', value: { kind: 'ObjectIdentifier', value: '1.3' }, syntax: 'Integer' },
] as const)('$name is no value', ({ value, syntax }) => {
  expect(readAs(value as SnmpValue, syntax)).toBeUndefined()
})

test('text that is not UTF-8 is read as Latin-1, without NUL and control characters', () => {
  expect(octetText(Uint8Array.from([0x5a, 0xfc, 0x72, 0x69, 0x63, 0x68, 0, 0]))).toBe('Zürich')
  expect(octetText(Uint8Array.from([0, 1, 2, 0x41, 0x1b, 0x42]))).toBe('AB')
})

test('a bad cell loses only its own value, and is counted', () => {
  let unreadable = 0
  const rows = assembleRows(
    table,
    new Map([
      [
        'number',
        new Map([
          ['1', text('n/a')],
          ['2', { kind: 'Integer32', value: 7 } as SnmpValue],
        ]),
      ],
      [
        'name',
        new Map([
          ['1', octets(0xff, 0xfe)],
          ['2', text('two')],
        ]),
      ],
      ['mac', new Map([['1', text('0:1a:2b:3c:4d:5e')]])],
    ]),
    () => unreadable++,
  )
  expect(Object.fromEntries(rows)).toEqual({
    '1': { name: 'ÿþ', mac: '001a2b3c4d5e' },
    '2': { number: 7, name: 'two' },
  })
  expect(unreadable).toBe(1)
})
