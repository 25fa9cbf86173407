import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import type { AlertContext } from '../../../src/core/alerts/context.ts'
import { notificationOf } from '../../../src/core/alerts/message.ts'
import type { SubjectDevice } from '../../../src/core/alerts/read-subjects.ts'
import { alertWrite } from '../../../src/core/alerts/transition.ts'
import { calledDevice, calledOf } from '../../../src/core/base/device-name.ts'
import { createLog } from '../../../src/observe/log.ts'
import { type TestDatabase, testDatabase } from '../../support/database.ts'
import { DEVICE, foundOf, held, rule, T } from './on-paper.ts'

// What alerts call a device that was added by its address.

setDefaultTimeout(120_000)

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const ADDRESSES = ['10.0.0.7', '::1', '2001:db8::7', 'fe80::1', '::ffff:10.0.0.7', '999.1.2.3']
const NAMES = ['ups-1', 'core.example.net', '10.0.0.7a', '1.2.3', '10.0.0.7 (rack 3)', 'a:b c', 'x:1', 'Gerät', '7']
const part = fc.oneof(
  fc.constantFrom(...ADDRESSES, ...NAMES, '', ' ', '\t', ' ups-1 '),
  fc.ipV4(),
  fc.ipV6(),
  fc.string({ maxLength: 20, unit: 'grapheme' }).filter((text) => !text.includes('\0')),
)

test('an address is followed by nothing but itself: the sysName goes before it, and names stay as they are', () => {
  for (const address of ADDRESSES) {
    expect(calledDevice({ hostname: address, display: '', sysName: 'ups-1' })).toBe(`ups-1 (${address})`)
    expect(calledDevice({ hostname: 'x', display: address, sysName: 'ups-1' })).toBe(`ups-1 (${address})`)
    for (const sysName of [null, '', ' ', address])
      expect(calledDevice({ hostname: address, display: '', sysName })).toBe(address)
  }
  for (const name of NAMES) expect(calledDevice({ hostname: '10.0.0.7', display: name, sysName: 'ups-1' })).toBe(name)
})

test('the same in SQL, whatever devices are called', async () => {
  const all = fc.sample(fc.record({ hostname: part, display: part, sysName: fc.option(part) }), 2000)
  const rows = await database.store.sql<{ called: string }[]>`
    select ${database.store.sql.unsafe(calledOf('x.hostname', 'x.display', 'x."sysName"'))} as called
    from rows from (jsonb_to_recordset(${JSON.stringify(all)}::text::jsonb)
      as (hostname text, display text, "sysName" text)) with ordinality as x (hostname, display, "sysName", place) order by place`
  expect(rows).toHaveLength(all.length)
  for (const [i, { called }] of rows.entries()) {
    const one = all[i]
    if (one !== undefined) expect([one, called]).toEqual([one, calledDevice(one)])
  }
})

test('titles and sentences name it, and what templates and receivers get of the device stays', () => {
  const device: SubjectDevice = {
    ...DEVICE,
    hostname: '10.0.0.7',
    display: '10.0.0.7',
    sysName: 'ups-1',
    ip: '10.0.0.7',
  }
  const moment = { now: T, toleranceS: 0, stepDurationS: 300, damping: { count: 0, windowS: 0, holdS: 0 } }
  const subject = { device, applies: true, unread: false, alert: null, faults: [] }
  const holds = held({ maintenance: null, ports: [], parentsDown: false })
  const context = alertWrite(rule({}), subject, foundOf([1]), { ...moment, ...holds })?.notification?.context as
    | AlertContext
    | undefined
  if (context === undefined) throw new Error('nothing was sent')
  expect(context.title).toBe('Alert: ups-1 (10.0.0.7) Gi1 is down')
  expect(context).toMatchObject({ hostname: '10.0.0.7', display: '10.0.0.7', sysName: 'ups-1' })
  const sent = notificationOf('a', context, null, createLog('silent'))
  expect(sent.text).toContain('ups-1 (10.0.0.7) Gi1 is down')
  expect(sent.text).toMatch(/^Device: +ups-1 \(10\.0\.0\.7\)$/m)
  expect(sent.device).toMatchObject({ hostname: '10.0.0.7', display: '10.0.0.7', called: 'ups-1 (10.0.0.7)' })
})
