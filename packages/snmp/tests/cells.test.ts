import { expect, test } from 'bun:test'
import { BerWriter } from '../src/ber.ts'
import { CellStore } from '../src/cells.ts'
import { encodeMessage, MessageView } from '../src/message.ts'
import { encodeOid } from '../src/oid.ts'
import { PDU } from '../src/pdu.ts'
import { StreamedRows } from '../src/streamed-rows.ts'
import { assembleRows, col, mibTable } from '../src/table.ts'
import type { SnmpValue, Varbind } from '../src/value.ts'

const table = mibTable('X', '1.3.6.1.4.1.99999.1.1', {
  name: col(1, 'DisplayString'),
  size: col(2, 'Integer'),
  octets: col(3, 'OctetString'),
})
type Name = keyof typeof table.columns

/** A source of numbers in [0, 1), the same for the same seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Cells decoded from an agent's responses. */
function stored(column: number, cells: readonly (readonly [string, SnmpValue])[]): CellStore {
  const root = encodeOid(`${table.entry}.${column}`)
  const store = new CellStore()
  const writer = new BerWriter()
  for (let from = 0; from < cells.length; from += 100) {
    const varbinds = cells
      .slice(from, from + 100)
      .map(([index, value]): Varbind => ({ oid: `${table.entry}.${column}.${index}`, value }))
    const community = new TextEncoder().encode('public')
    const head = { version: 'v2c', community, type: PDU.Response, requestId: 1, errorStatus: 0, errorIndex: 0 } as const
    const view = new MessageView()
    view.decode(encodeMessage(writer, { ...head, varbinds }))
    for (let i = 0; i < view.pdu.count; i++) store.add(view.pdu, i, root.length)
  }
  return store
}

function cellOf(column: number, n: number): SnmpValue {
  if (column === 1) return { kind: 'OctetString', value: new TextEncoder().encode(`row ${n}`) }
  // every tenth value is not a number
  if (column === 2) return n % 10 === 0 ? { kind: 'ObjectIdentifier', value: '1.3.6' } : { kind: 'Gauge32', value: n }
  return { kind: 'OctetString', value: new Uint8Array(n % 400).fill(n) }
}

test('cells of any size are read from the store as they were added', () => {
  const cells = Array.from({ length: 2000 }, (_, n): [string, SnmpValue] => [`${n + 1}.${n * 70_000}`, cellOf(3, n)])
  const large: [string, SnmpValue] = ['4294967295.1', { kind: 'OctetString', value: new Uint8Array(60_000).fill(7) }]
  const store = stored(3, cells)
  expect([...store]).toEqual(cells)
  expect([...stored(3, [large])]).toEqual([large])
  expect(store.size).toBe(2000)
  expect(store.get('5.280000')).toEqual(cells[4]?.[1])
  expect(store.get('5')).toBeUndefined()
  expect([...store.keys()].length).toBe(2000)
})

test('rows from packed cells, streamed or not, equal rows from values, with gaps in every column', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = numbers(seed)
    // indexes of one and two sub-identifiers, of one to five octets each
    const indexes = Array.from({ length: 300 }, () => {
      const n = Math.floor(2 ** (32 * random()))
      return random() < 0.5 ? [n] : [n, Math.floor(2 ** (16 * random()))]
    }).toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? -1) - (b[1] ?? -1))
    const texts = [...new Set(indexes.map((ids) => ids.join('.')))]
    const columns = ([1, 2, 3] as const).map((column) =>
      texts.flatMap((index, n) => (random() < 0.3 ? [] : [[index, cellOf(column, n)] as const])),
    )
    const names: readonly Name[] = ['name', 'size', 'octets']
    let bad = 0
    const plain = assembleRows(table, new Map(names.map((name, i) => [name, new Map(columns[i])])), () => bad++)
    const stores = new Map(names.map((name, i) => [name, stored(i + 1, columns[i] ?? [])]))
    let badStored = 0
    const assembled = assembleRows(table, stores, () => badStored++)
    expect(assembled).toEqual(plain)
    let badStreamed = 0
    const streamed = new StreamedRows(table, stores, () => badStreamed++)
    expect([bad, badStored, badStreamed]).toEqual([bad, bad, bad])
    const inOrder = texts.filter((index) => plain.has(index))
    expect([...streamed.keys()]).toEqual(inOrder)
    // a column adds rows that those before it lack
    expect([[...plain.keys()], [...assembled.keys()]]).toEqual([inOrder, inOrder])
    expect(new Map(streamed)).toEqual(plain)
    expect(streamed.size).toBe(plain.size)
    expect(streamed.get(inOrder[5] ?? '')).toEqual(plain.get(inOrder[5] ?? ''))
    expect(streamed.has('no')).toBe(false)
    expect([...streamed.values()].length).toBe(plain.size)
    streamed.forEach((row, index) => {
      expect(row).toEqual(plain.get(index) ?? {})
    })
  }
})
