import { expect, test } from 'bun:test'
import { PRESENCE } from '@portlight/snmp/get.ts'
import { encodeOid } from '@portlight/snmp/oid.ts'
import { packOids } from '@portlight/snmp/oid-list.ts'
import { PRESENT } from '../../src/lib/text-readings.ts'
import { compile } from '../../src/poller/worker/compile.ts'

test('the objects of a count are read for whether they are there, others by their own reading', () => {
  const texts = [
    [0, PRESENT],
    [1, 'hhmmssToMinutes'],
    [2, 'nothing'],
  ] as const
  const gauges = packOids([1, 2, 3].map((id) => encodeOid(`1.3.6.1.4.1.1.${id}`)))
  const none = new Int32Array(0)
  const { readings } = compile({ ifIndex: none, wide: new Uint32Array(0), columns: [], gauges, texts } as never)
  expect(readings?.get(0)).toBe(PRESENCE)
  expect(readings?.get(1)?.('01:30:00', 0)).toBe(90)
  expect([...(readings?.keys() ?? [])]).toEqual([0, 1])
})
