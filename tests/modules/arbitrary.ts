import { assembleRows, type MibTable, readAs } from '@portlight/snmp/table.ts'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import type { Reader } from '../../src/modules/run.ts'
import { type Rng, rng } from '../random/rng.ts'

/** Numbers at the edges of their types, and what agents answer when they know nothing. */
const NUMBERS = [
  -2_147_483_648, -1001, -100, -9, -1, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 100, 253, 254, 255, 1000, 4094,
  4095, 4096, 65_535, 65_536, 1_000_000, 2_147_483_647,
]
const UNSIGNED = [0, 0, 1, 1, 2, 3, 7, 100, 1000, 65_535, 2_147_483_647, 2_147_483_648, 4_294_967_294, 4_294_967_295]
const FLOATS = [0, -0, 1e-300, 5e-324, 1e300, -1e300, Number.NaN, Infinity, -Infinity, 0.1, -273.16, 2 ** 53]
const OIDS = ['0.0', '1.3', '1.3.6.1.2.1.2.2.1.1.1', '2.999', `1.3.6.1.4.1.${'4294967295.'.repeat(100)}1`]
const TEXTS = [
  '',
  ' ',
  '\0',
  'x',
  'eth0',
  'Gi0/1',
  '-',
  '-1',
  '0',
  'NaN',
  'Infinity',
  '1e999',
  '0x10',
  '1:1',
  '10.0.0.1',
  'fe80::1%eth0',
  '00:00:5e:00:53:01',
  '00:00:00:00:00:00',
  '\u202Egnp.exe\u2066\u200f',
  '<script>alert(1)</script>',
  '%n%s{{1}}$1$&\\1\\',
  "'; drop table devices; --",
  '__proto__',
  'constructor',
  'line\nbreak\ttab\r',
  '\u{1F4A9}'.repeat(3000),
  ' '.repeat(8000),
  'a,'.repeat(4000),
  '1-4094',
  '1-99999999999',
  '4294967295-1',
]
const OCTETS = [
  '',
  '00',
  '01',
  'ff',
  '0000',
  'c0a80101',
  'ffffffff',
  'ffffff00',
  'ff00ff00',
  '00005e005301',
  'ffffffffffff',
  '07e10d20191e3c0000000000',
  '07e50b1a0d1e0f00',
  '07e50b1a0d1e0f002d0e3c',
  'ffffffffffffffff',
  '800000005e005301',
  '00'.repeat(16),
  'ff'.repeat(16),
  'fe80000000000000000000000000000100000001',
  'c328a0a1e28281f0288cbc',
  'eda080eda080',
]

/** Long texts of characters of four octets each, without repetition. */
const WIDE = [1, 2, 3, 4].map((seed) => {
  const random = rng(seed)
  return Array.from({ length: 5000 }, () => String.fromCodePoint(0x20000 + random.below(0xa000))).join('')
})

/** An index: short ones occur in many tables, so that rows refer to each other, and rows refer to themselves. */
function indexOf(random: Rng, n: number): string {
  const kind = random.below(20)
  if (kind < 6) return `${n}`
  if (kind < 9) return `${1 + random.below(4)}.${1 + random.below(9)}`
  if (kind === 9) return `${random.below(3)}.${n}.${random.below(3)}`
  if (kind === 10) return `1.4.10.0.0.${n % 256}`
  if (kind === 11) return `${n}.1.4.10.0.0.${n % 256}`
  if (kind === 12) return `2.16.${'254.128.'.repeat(8)}${n % 256}`
  if (kind === 13) return Array.from({ length: 128 }, () => '4294967295').join('.')
  if (kind === 14) return `${random.pick(['4294967295', '2147483648', '65536', '0'])}`
  if (kind === 15) return `4294967295.${n}.0`
  if (kind === 16) return `${n}.0.0.94.0.83.${n % 256}`
  // a text with its length before it
  const letters = Array.from({ length: random.below(8) }, () => random.pick([0, 49, 65, 97, 255, 256, 4_294_967_295]))
  return [random.pick([letters.length, 255, 0]), ...letters, ...(random.chance(0.5) ? [n] : [])].join('.')
}

function anyValue(random: Rng, n: number): SnmpValue {
  const utf8 = (text: string) => new TextEncoder().encode(text)
  switch (random.below(16)) {
    case 0:
    case 1:
    case 2:
      return { kind: 'Integer32', value: random.pick(NUMBERS) }
    case 3:
      return { kind: 'Integer32', value: 1 + random.below(12) }
    case 4:
      return { kind: 'Integer32', value: n }
    case 5:
      return { kind: 'Gauge32', value: random.pick(UNSIGNED) }
    case 6:
      return { kind: random.pick(['Counter32', 'TimeTicks'] as const), value: random.pick(UNSIGNED) }
    case 7:
      return { kind: 'Counter64', value: random.pick([0n, 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n]) }
    case 8:
      return { kind: random.pick(['OpaqueFloat', 'OpaqueDouble'] as const), value: random.pick(FLOATS) }
    case 9:
      return { kind: 'ObjectIdentifier', value: random.pick(OIDS) }
    case 10:
      return { kind: 'IpAddress', value: random.pick(['0.0.0.0', '255.255.255.255', '10.0.0.1', '224.0.0.1']) }
    case 11:
      return { kind: 'OctetString', value: Uint8Array.from({ length: random.below(40) }, () => random.below(256)) }
    case 12:
    case 13:
      return { kind: 'OctetString', value: Uint8Array.fromHex(random.pick(OCTETS)) }
    case 14:
      return { kind: 'OctetString', value: utf8(random.pick(TEXTS)) }
    default:
      // no compression makes these small enough for an index of the database
      return { kind: 'OctetString', value: utf8(random.pick(WIDE)) }
  }
}

/**
 * A reader of an agent that has every table and every scalar, whose values have any type and whose indexes any form. A
 * seed decides all of it. `rows`: how many rows a table has.
 */
export function arbitraryReader(seed: number, rows: number): Reader {
  const random = rng(seed)
  const indexes = [...new Set(Array.from({ length: rows }, (_, n) => indexOf(random, n)))]
  const steady = random.chance(0.5)
  return {
    table<T extends MibTable>({ table, columns }: { readonly table: T; readonly columns: readonly string[] }) {
      const cells = new Map<string, Map<string, SnmpValue>>()
      for (const name of columns) {
        // some columns have one type and even one value throughout, as those of real agents do
        const same = steady && random.chance(0.5) ? anyValue(random, 1) : null
        const column = new Map<string, SnmpValue>()
        for (const [n, index] of indexes.entries()) {
          if (random.chance(0.1)) continue
          column.set(
            index,
            same ?? (steady && random.chance(0.3) ? { kind: 'Integer32', value: n } : anyValue(random, n)),
          )
        }
        cells.set(name, column)
      }
      return Promise.resolve({
        supported: true,
        complete: random.chance(0.8),
        rows: assembleRows(table, cells as Parameters<typeof assembleRows<T>>[1]),
      })
    },
    scalars(list) {
      return Promise.resolve({
        complete: random.chance(0.9),
        values: list.map(({ syntax }) => (random.chance(0.1) ? undefined : readAs(anyValue(random, 1), syntax))),
      })
    },
  }
}
