import { expect, test } from 'bun:test'
import type { EventRow } from '../../src/core/lists/service.ts'
import { agentWord } from '../../src/web/components/agent.ts'
import { gathered } from '../../src/web/pages/overview/page.tsx'

const event = (event_id: number, of: Partial<EventRow>): EventRow => ({
  event_id,
  at: new Date(event_id * 1000),
  device_id: 1,
  device: 'sw-1',
  type: 'interface',
  message: 'ifOperStatus: up -> down',
  severity: 5,
  reference: '7',
  port_id: 7,
  port: 'Gi1/0/7',
  by: null,
  ...of,
})

test('events of a flapping port are one row at the position of the latest; others are unchanged', () => {
  const rows = gathered([
    event(9, {}),
    event(8, { message: 'ifOperStatus: down -> up', severity: 1 }),
    event(7, { port_id: 8 }),
    event(6, {}),
    event(5, { device_id: null, type: 'settings', port_id: null, message: 'changed' }),
    event(4, { device_id: null, type: 'settings', port_id: null, message: 'changed' }),
    event(3, { type: 'service', port_id: null, message: 'a' }),
    event(2, { type: 'service', port_id: null, message: 'b' }),
  ])
  expect(rows.map(({ event_id, times }) => [event_id, times])).toEqual([
    ...[
      [9, 3],
      [7, 1],
      [5, 1],
      [4, 1],
      [3, 1],
      [2, 1],
    ],
  ])
})

test('a browser is named after the actual product, not those in its compatibility tokens', () => {
  const like =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  expect(agentWord(like)).toBe('Chrome on Windows')
  expect(agentWord(`${like} Edg/140.0.0.0`)).toBe('Edge on Windows')
  expect(agentWord('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe('Firefox on Linux')
  expect(agentWord('')).toBe('unknown browser')
})
