import { afterAll, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { damped, type Gauge, wave } from '../../src/demo/gauge.ts'
import { FLEET_EPOCH_MS, type Instant } from '../../src/demo/instant.ts'
import { openDemoAgent } from '../../src/demo/serve.ts'
import { openClient } from './client.ts'

const START_MS = FLEET_EPOCH_MS + 900 * 86_400_000
const MINUTES = [1, 5, 15] as const
const client = await openClient()
afterAll(() => client.close())

function number(value: SnmpValue | undefined): number {
  if (value?.kind === 'OctetString') return Number(new TextDecoder().decode(value.value))
  return value !== undefined && 'value' in value ? Number(value.value) : Number.NaN
}

/** The load average of a kernel: exponentially damped, updated every second. */
function fading(constantS: number): (value: number) => number {
  const decay = Math.exp(-1 / constantS)
  let average: number | null = null
  return (value) => {
    average = average === null ? value : average * decay + value * (1 - decay)
    return average
  }
}

const at = (s: number): Instant => ({ s, bootS: 0, ticks: s * 100, boots: 1, powered: true })

test('a damped gauge is the exponentially damped average of the gauge', () => {
  const load: Gauge = wave(7, { mean: 40, day: 20, noise: 30, min: 0 })
  for (const constantS of [60, 300, 900]) {
    const gauge = damped(load, constantS)
    const kept = fading(constantS)
    const startS = 1_000_000
    let worst = 0
    for (let s = startS; s < startS + 20_000; s++) {
      const expected = kept(load(at(s)))
      if (s > startS + 10 * constantS && s % 97 === 0) worst = Math.max(worst, Math.abs(gauge(at(s)) - expected))
    }
    // for a load that changes by 30 within minutes
    expect(worst).toBeLessThan(1.5)
  }
})

test.each(['web-1', 'db-1', 'nas-1'])(
  '%s: all load averages follow the same load, and the longer ones are smoother',
  async (name) => {
    let nowMs = START_MS
    const agent = await openDemoAgent(name, { now: () => nowMs })
    try {
      const oids = MINUTES.map((_, i) => `1.3.6.1.4.1.2021.10.1.3.${i + 1}`)
      const readings: number[][] = []
      for (let step = 0; step < 360; step++) {
        nowMs = START_MS + step * 30_000
        readings.push((await client.ask(agent, { type: 'GetRequest', oids })).varbinds.map((v) => number(v.value)))
      }
      const column = (i: number) => readings.map((r) => r[i] ?? Number.NaN)
      const mean = (values: number[]) => values.reduce((sum, v) => sum + v, 0) / values.length
      const roughness = MINUTES.map((_, i) =>
        mean(column(i).map((v, j, all) => (j === 0 ? 0 : Math.abs(v - (all[j - 1] ?? v))))),
      )
      expect(roughness[1]).toBeLessThan((roughness[0] ?? 0) / 2)
      expect(roughness[2]).toBeLessThan((roughness[1] ?? 0) / 1.7)
      for (const i of [1, 2]) expect(mean(column(i)) / mean(column(0))).toBeWithin(0.9, 1.1)
      // each follows the shorter average without overtaking it
      const kept = fading(900 / 30)
      const followed = column(0).map(kept)
      const off = column(2).map((v, j) => Math.abs(v - (followed[j] ?? v)))
      expect(Math.max(...off.slice(120))).toBeLessThan(0.15 * mean(column(2)))
    } finally {
      agent.stop()
    }
  },
)
