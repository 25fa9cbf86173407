import { expect, test } from 'bun:test'
import { textReading } from '../../src/lib/text-readings.ts'
import { MODULES } from '../../src/modules/registry.ts'
import { agentOf, discover, int, moduleOf, octets, only } from './agent.ts'

const SUPPLIES = '1.3.6.1.2.1.43.11.1.1'
const PRINTERS = '1.3.6.1.2.1.25.3.5.1'

/** The state sensors of a printer whose hrPrinterDetectedErrorState has these octets, by hrDeviceIndex. */
async function errors(states: Readonly<Record<string, string>>) {
  const cells = Object.entries(states).map(([index, hex]) => [`${PRINTERS}.2.${index}`, octets(hex)] as const)
  const agent = agentOf({
    [`${SUPPLIES}.9.1.1`]: int(40),
    [`${SUPPLIES}.8.1.1`]: int(100),
    ...Object.fromEntries(cells),
  })
  return only(await discover([moduleOf(MODULES, 'printer-supplies')], agent), 'sensors').rows
}

test.each([
  ['00', 'Normal', 'ok'],
  ['', 'Normal', 'ok'],
  ['0000', 'Normal', 'ok'],
  ['80', 'Paper low', 'warning'],
  ['4000', 'No paper', 'critical'],
  ['01', 'Service requested', 'critical'],
  ['0004', 'Input tray empty', 'warning'],
  ['a0', 'Several warnings', 'warning'],
  ['60', 'Several conditions', 'critical'],
  ['8008', 'Several conditions', 'critical'],
  // a bit that the MIB does not have
  ['0001', 'Normal', 'ok'],
  ['00000000ffff', 'Normal', 'ok'],
])('hrPrinterDetectedErrorState %p is %s', async (hex, descr, generic) => {
  const [row] = await errors({ 1: hex })
  const state = row?.states?.values.find(({ value }) => value === row.sensor_current)
  expect(state).toMatchObject({ descr, generic })
  expect(row).toMatchObject({ sensor_class: 'state', sensor_oid: `${PRINTERS}.2.1`, user_func: 'printer_errors' })
})

test('polling reads the same from one character for each octet', () => {
  const read = textReading('printer_errors')
  expect(['\u0000', '\u0080', '\u0040\u0000', '\u0000\u0080', ''].map((text) => read?.(text, 0))).toEqual([
    0, 1, 2, 11, 0,
  ])
})

test('several printers, and an agent that is none', async () => {
  expect((await errors({ 1: '00', 4: '80' })).map((row) => [row.sensor_index, row.sensor_current])).toEqual([
    ['0', 0],
    ['1', 1],
  ])
  const agent = agentOf({ [`${PRINTERS}.2.1`]: octets('80') })
  const found = await discover([moduleOf(MODULES, 'printer-supplies')], agent)
  expect(found.some(({ kind }) => kind === 'sensors')).toBe(false)
})
