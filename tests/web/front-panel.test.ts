import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { panelOf } from '../../src/web/pages/device/front-panel.ts'

const named = (names: readonly string[]) => names.map((ifName) => ({ ifName, ifDescr: null }))
const shown = (...names: string[]) =>
  panelOf(named(names)).map(({ prefix, ports }) => [prefix, ...ports.map(({ label }) => label)].join(' '))
const range = (n: number, name: (i: number) => string) => Array.from({ length: n }, (_, i) => name(i + 1))

describe('the number of a port on the front panel is that of its name', () => {
  test.each([
    ['a switch with a management port', ['Gi0/0', 'Gi1/0/1', 'Gi1/0/2', 'Gi1/0/16'], ['Gi0/ 0', 'Gi1/0/ 1 2 16']],
    ['a stack', ['Gi1/0/1', 'Gi1/0/2', 'Gi2/0/1', 'Gi2/0/2'], ['Gi1/0/ 1 2', 'Gi2/0/ 1 2']],
    ['an order that is not that of the numbers', ['Gi1/0/10', 'Gi1/0/2', 'Gi1/0/1'], ['Gi1/0/ 1 2 10']],
    ['numbers alone', ['1', '2', '24', 'A1'], [' 1 2 24', 'A 1']],
    ['Junos', ['ge-0/0/0', 'ge-0/0/1', 'xe-0/1/0'], ['ge-0/0/ 0 1', 'xe-0/1/ 0']],
    ['text after the number', ['Port 17 (10G)', 'Port 18 (10G)'], ['Port  17 18']],
    ['unit and slot in words', ['Unit: 1 Slot: 0 Port: 16 Gigabit'], ['Unit: 1 Slot: 0 Port:  16']],
    ['names without numbers', ['wan', 'lan'], [' wan lan']],
    ['lanes of many ports', range(5, (i) => `Ethernet${i}/1`), [' 1/1 2/1 3/1 4/1 5/1']],
  ])('%s', (_, names, rows) => {
    expect(shown(...names)).toEqual(rows)
  })

  test('whatever the names, each port is there once, with a short label', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 60 }), (names) => {
        const ports = named(names)
        const placed = panelOf(ports).flatMap((row) => row.ports)
        expect(new Set(placed.map(({ port }) => port))).toEqual(new Set(ports))
        expect(placed.length).toBe(ports.length)
        for (const { label } of placed) expect(label.length).toBeLessThanOrEqual(7)
      }),
    )
  })
})
