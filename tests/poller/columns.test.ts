import { describe, expect, test } from 'bun:test'
import { mibTable } from '@portlight/snmp/table.ts'
import { need } from '../../src/modules/module.ts'
import { columnsOf, isPast } from '../../src/poller/worker/columns.ts'

/** As RFC 2578 §7.1.3 orders OIDs, one sub-identifier after the other. */
function isAfterAllBelow(oid: string, column: string): boolean {
  const [ids, root] = [oid.split('.').map(Number), column.split('.').map(Number)]
  const at = root.findIndex((id, i) => ids[i] !== id)
  return at >= 0 && (ids[at] ?? -1) > (root[at] ?? 0)
}

const next = (oid: string) => ({ oid, value: { kind: 'Null' } as const })

describe('the columns of a need', () => {
  const table = mibTable('TEST-MIB::table', '1.3.6.1.4.1.9999.1.1', {
    third: { id: 3, syntax: 'Integer' },
    tenth: { id: 10, syntax: 'Integer' },
    second: { id: 2, syntax: 'Integer' },
  })

  test('the lowest column is probed, by number', () => {
    const { inOrder, probeOids } = columnsOf(need(table))
    expect(inOrder.map((oid) => oid.slice(table.entry.length + 1))).toEqual(['2', '3', '10'])
    expect(probeOids).toEqual([`${table.entry}.2`])
  })

  test('each column of a sparse need is probed, in the order of the need', () => {
    const { probeOids } = columnsOf({ ...need(table), sparse: true })
    expect(probeOids.map((oid) => oid.slice(table.entry.length + 1))).toEqual(['3', '10', '2'])
  })

  test('without columns nothing is probed', () => {
    expect(columnsOf({ ...need(table), columns: [] }).probeOids).toEqual([])
  })
})

describe('whether an answer is past a column', () => {
  test('agrees with the order of OIDs for any two of them', () => {
    const numbers = [0, 1, 2, 9, 10, 12, 25, 4294967295]
    let state = 7
    const random = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * below)
    }
    const oid = () => Array.from({ length: 1 + random(5) }, () => numbers[random(numbers.length)]).join('.')
    for (let n = 0; n < 50_000; n++) {
      const [a, b] = [oid(), oid()]
      expect([a, b, isPast(next(a), b)]).toEqual([a, b, isAfterAllBelow(a, b)])
    }
  })

  test.each(['', '.', 'x', '1.3.x', '1.3.6.1.'])('the invalid OID %p is not past', (oid) => {
    expect(isPast(next(oid), '1.3.6.1.2.1')).toBe(false)
  })

  test('the end of the MIB is past everything', () => {
    expect(isPast({ oid: '1.3', value: { kind: 'endOfMibView' } }, '1.3.6')).toBe(true)
  })
})
