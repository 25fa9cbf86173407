import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type Clocks, type Up, upSince, uptimeSeconds } from '../../src/modules/system/uptime.ts'

const clocks = (rest: Partial<Clocks>): Clocks => ({
  agentTicks: undefined,
  engineS: undefined,
  hostTicks: undefined,
  ...rest,
})
const DAY = 86_400
const MINUTE = 60_000
const upS = ({ ticks, aheadS }: Up): number => Math.floor(ticks / 100 + (aheadS ?? 0))

test('the uptime is the largest clock that counts from a start', () => {
  expect(uptimeSeconds(clocks({ agentTicks: 6000, hostTicks: 1_382_400_000 }))).toBe(13_824_000)
  expect(uptimeSeconds(clocks({ agentTicks: 900_000_000, engineS: 51_949_673 }))).toBe(51_949_673)
  expect(uptimeSeconds(clocks({ agentTicks: 900, engineS: -1, hostTicks: 0 }))).toBe(9)
  expect(uptimeSeconds(clocks({ agentTicks: 0 }))).toBe(0)
  expect(uptimeSeconds(clocks({ engineS: 1_700_000_000 }))).toBeUndefined()
  const ticks = fc.option(fc.nat(2 ** 32 - 1), { nil: undefined })
  fc.assert(
    fc.property(ticks, fc.option(fc.integer(), { nil: undefined }), ticks, (agentTicks, engineS, hostTicks) => {
      const seconds = uptimeSeconds({ agentTicks, engineS, hostTicks })
      if (seconds === undefined) expect((agentTicks ?? -1) > 0).toBe(false)
      else {
        expect(seconds).toBeGreaterThanOrEqual(Math.floor((agentTicks ?? 0) / 100))
        expect(Number.isSafeInteger(seconds)).toBe(true)
      }
    }),
  )
})

test('an agent that is restarted on a host that is not is no reboot, and the uptime goes on', () => {
  const first = upSince(null, 20 * 6000, 0, clocks({ hostTicks: 160 * DAY * 100 })).up
  expect(upS(first)).toBe(160 * DAY)
  const second = upSince(first, 25 * 6000, 5 * MINUTE, null)
  expect([upS(second.up), second.restarted]).toEqual([160 * DAY + 300, false])
  const third = upSince(second.up, 500, 10 * MINUTE, clocks({ hostTicks: (160 * DAY + 600) * 100 }))
  expect([upS(third.up), third.restarted, third.rebootAfterS]).toEqual([160 * DAY + 600, true, null])
})

test('a reboot is one by every clock, or by the only one', () => {
  const before = upSince(null, 160 * DAY * 100, 0, clocks({ hostTicks: 160 * DAY * 100 })).up
  for (const others of [clocks({ hostTicks: 9000 }), clocks({}), null]) {
    const now = upSince(before, 6000, 5 * MINUTE, others)
    expect([now.restarted, now.rebootAfterS]).toEqual([true, 160 * DAY])
    expect(upS(now.up)).toBe(others?.hostTicks === undefined ? 60 : 90)
  }
})

test('a clock that went back a little has neither wrapped nor restarted', () => {
  const before = upSince(null, 50_000, 0, clocks({})).up
  const now = upSince(before, 49_900, 1000, clocks({}))
  expect([upS(now.up), now.restarted, now.rebootAfterS]).toEqual([499, false, null])
})

test('the uptime goes on when sysUpTime wraps, with and without another clock, for good', () => {
  for (const engine of [true, false]) {
    const start = 2 ** 32 - 10_000
    const at = (minute: number) => (start + minute * 6000) % 2 ** 32
    const others = (minute: number) => clocks(engine ? { engineS: Math.floor((start + minute * 6000) / 100) } : {})
    let { up } = upSince(null, start, 0, others(0))
    for (let minute = 5; minute <= 60; minute += 5) {
      const wrapped = at(minute) < up.ticks
      const now = upSince(up, at(minute), minute * MINUTE, wrapped ? others(minute) : null)
      expect(now.restarted).toBe(false)
      expect(Math.abs(upS(now.up) - Math.floor((start + minute * 6000) / 100))).toBeLessThanOrEqual(1)
      up = now.up
    }
  }
})
