import { expect, test } from 'bun:test'
import { DeviceClocks } from '../../../../src/core/logs/receive/syslog/clocks.ts'

const MINUTE = 60_000

test('a clock that stays wrong is told once, and once when it is right again', () => {
  const clocks = new DeviceClocks()
  const told: string[] = []
  for (let minute = 0; minute < 120; minute++) {
    const drift = minute < 40 ? -303 : minute < 80 ? 2 : 300
    const event = clocks.note(7, drift, minute * MINUTE)
    if (event !== null) told.push(`${minute} ${event.severity} ${event.message}`)
    expect(clocks.note(8, 1, minute * MINUTE)).toBeNull()
    expect(clocks.note(9, null, minute * MINUTE)).toBeNull()
  }
  expect(told).toEqual([
    "10 4 The device's clock is 5m 3s behind, according to its syslog messages",
    "50 1 The device's clock is right again, according to its syslog messages",
    "90 4 The device's clock is 5m ahead, according to its syslog messages",
  ])
})

test('messages that a relay delivers late, and a clock near the limit, are not told', () => {
  const clocks = new DeviceClocks()
  const events = []
  for (let second = 0; second < 300; second++) events.push(clocks.note(7, -7200 + second, second * 1000))
  for (let minute = 6; minute < 60; minute++) events.push(clocks.note(7, minute % 2 === 0 ? 130 : 10, minute * MINUTE))
  expect(events.filter((event) => event !== null)).toEqual([])
})
