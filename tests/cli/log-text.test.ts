import { expect, test } from 'bun:test'
import { logText } from '../../src/observe/log-text.ts'

const time = new Date(2026, 0, 2, 3, 4, 5).toISOString()
const line = (members: object) => JSON.stringify({ level: 30, time, ...members })

test.each([
  [{ msg: 'ready', url: 'http://nms' }, '03:04:05 INFO  ready url=http://nms\n'],
  [
    { level: 40, component: 'poller', msg: 'device is down', device: 'core 1' },
    '03:04:05 WARN  poller: device is down device="core 1"\n',
  ],
  [{ level: 50, msg: 'failed', err: { message: 'no route', code: 'X' } }, '03:04:05 ERROR failed error="no route"\n'],
  [
    { level: 50, msg: 'failed', err: { message: 'a', stack: 'Error: a\n  at b' } },
    '03:04:05 ERROR failed\nError: a\n  at b\n',
  ],
  [
    { msg: 'answer \u001b[31mred\u0007', list: [1, 2], none: null },
    '03:04:05 INFO  answer  [31mred  list=[1,2] none=null\n',
  ],
])('%j', (members, text) => {
  expect(logText(line(members), false)).toBe(text)
})

test('other lines are unchanged, and colours only add escape codes', () => {
  expect(logText('plain\n', false)).toBe('plain\n')
  expect(logText(line({ msg: 'ready' }), true)).toContain('\u001b[32mINFO \u001b[0m')
})
