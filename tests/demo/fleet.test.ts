import { afterAll, describe, expect, test } from 'bun:test'
import type { SnmpValue } from '@portlight/snmp/value.ts'
import { startDemoFleet } from '../../src/demo/demo.ts'
import { demoDevice, EVERY_DEVICE, FLEET } from '../../src/demo/fleet.ts'
import { FLEET_EPOCH_MS } from '../../src/demo/instant.ts'
import { Responder } from '../../src/demo/responder.ts'
import { type DemoAgent, type DemoDevice, openDemoAgent, serveFleet } from '../../src/demo/serve.ts'
import { POWER_CUTS } from '../../src/demo/timetable.ts'
import { createLog } from '../../src/observe/log.ts'
import { type Client, encodeQuestion, openClient, walk } from './client.ts'

const DAY_MS = 86_400_000
/** The port of access-1 with a loose cable, Gi1/0/17. */
const FLAPPING_PORT = 17
/** Interval of the mains failures of ups-1. */
const MAINS_CYCLE_S = 2700
const START_MS = FLEET_EPOCH_MS + 900 * DAY_MS
const IF = '1.3.6.1.2.1.2.2.1'
const IFX = '1.3.6.1.2.1.31.1.1.1'
const log = createLog('silent')

let nowMs = START_MS
const open: { stop(): void | Promise<void> }[] = []
const client: Client = await openClient()
afterAll(async () => {
  client.close()
  for (const thing of open) await thing.stop()
})

async function agentOf(name: string): Promise<DemoAgent> {
  const agent = await openDemoAgent(name, { now: () => nowMs })
  open.push(agent)
  return agent
}

function number(value: SnmpValue | undefined): number {
  if (value !== undefined && 'value' in value && typeof value.value !== 'object') return Number(value.value)
  throw new Error(`not a number: ${JSON.stringify(value)}`)
}

async function numbers(agent: DemoAgent, oids: readonly string[]): Promise<number[]> {
  const reply = await client.ask(agent, { type: 'GetRequest', oids })
  return reply.varbinds.map((v) => number(v.value))
}

/** Moments in milliseconds, `stepS` apart. */
function* moments(fromMs: number, count: number, stepS: number): Generator<number> {
  for (let i = 0; i < count; i++) yield fromMs + i * stepS * 1000
}

describe('the fleet', () => {
  test('has devices of every type, a switch with more than a hundred ports, and unique names', () => {
    const kinds = new Set<string>(FLEET.map((m) => m.kind))
    expect(FLEET.length).toBeGreaterThanOrEqual(12)
    expect(kinds.size).toBeGreaterThanOrEqual(10)
    expect(new Set(EVERY_DEVICE.map((m) => m.name)).size).toBe(EVERY_DEVICE.length)
  })

  test('core-1 has more than a hundred ports', async () => {
    const [ports] = await numbers(await agentOf('core-1'), ['1.3.6.1.2.1.2.1.0'])
    expect(ports).toBeGreaterThan(100)
  })

  test('no interface exceeds its speed in any five minutes of a day', async () => {
    for (const { name } of EVERY_DEVICE) {
      const agent = await agentOf(name)
      nowMs = [...moments(START_MS, 100, 60)].find((ms) => agent.instant(ms).powered) ?? START_MS
      const { varbinds } = await walk(client, agent, `${IFX}.15`, 50)
      const speeds = varbinds
        .map((v) => [v.oid.split('.').at(-1) ?? '', number(v.value)] as const)
        .filter(([, m]) => m > 0)
      const highCapacity = (await walk(client, agent, `${IFX}.6`, 1)).varbinds.length > 0
      const oids = speeds.flatMap(([i]) =>
        highCapacity ? [`${IFX}.6.${i}`, `${IFX}.10.${i}`] : [`${IF}.10.${i}`, `${IF}.16.${i}`],
      )
      let before: number[] | null = null
      for (const ms of moments(START_MS, 289, 300)) {
        if (!agent.instant(ms).powered) {
          before = null
          continue
        }
        nowMs = ms
        const counts: number[] = []
        for (let at = 0; at < oids.length; at += 40) counts.push(...(await numbers(agent, oids.slice(at, at + 40))))
        for (const [i, count] of counts.entries()) {
          const mbps = speeds[Math.floor(i / 2)]?.[1] ?? 0
          const delta = count - (before?.[i] ?? count)
          // warehouse-1 restarts at times, and 32-bit counters wrap
          if (delta > 0) expect((8 * delta) / 300 / 1e6).toBeLessThan(mbps)
        }
        before = counts
      }
      agent.stop()
    }
    nowMs = START_MS
  }, 240_000)

  test('both ends of a link count the same traffic', async () => {
    const upper = await agentOf('core-1')
    const lower = await agentOf('access-1')
    const read = async (ms: number) => {
      nowMs = ms
      // core-1 Te5/0/2 and access-1 Te1/1/1
      return [
        await numbers(upper, [`${IFX}.6.302`, `${IFX}.10.302`]),
        await numbers(lower, [`${IFX}.10.61`, `${IFX}.6.61`]),
      ]
    }
    const [a, b] = [await read(START_MS), await read(START_MS + 300_000)]
    nowMs = START_MS
    for (const direction of [0, 1]) {
      const deltas = [0, 1].map((end) => (b[end]?.[direction] ?? 0) - (a[end]?.[direction] ?? 0))
      expect(deltas[0]).toBeGreaterThan(1e6)
      // their clocks tick in hundredths at different moments
      expect(Math.abs((deltas[0] ?? 0) / (deltas[1] ?? 1) - 1)).toBeLessThan(0.001)
    }
  })
})

describe('simulated faults', () => {
  test('a port of access-1 flaps within ten minutes, updates ifLastChange, and has no traffic while down', async () => {
    const agent = await agentOf('access-1')
    const index = 8 + FLAPPING_PORT
    const oids = [`${IF}.8.${index}`, `${IF}.9.${index}`, `${IFX}.10.${index}`, '1.3.6.1.2.1.1.3.0']
    let changes = 0
    let before: number[] | null = null
    for (const ms of moments(START_MS, 120, 10)) {
      nowMs = ms
      const now = await numbers(agent, oids)
      const [status = 0, lastChange = 0, octets = 0, upTime = 0] = now
      if (before !== null && before[0] !== status) {
        changes++
        expect(upTime - lastChange).toBeLessThanOrEqual(1000)
      } else if (before !== null) {
        expect(lastChange).toBe(before[1] ?? 0)
        if (status === 2) expect(octets).toBe(before[2] ?? 0)
        else expect(octets).toBeGreaterThan(before[2] ?? 0)
      }
      before = now
    }
    nowMs = START_MS
    // 20 minutes is a little more than two cycles
    expect(changes).toBeGreaterThanOrEqual(3)
  })

  test('some ports have errors, some discards, most have none', async () => {
    const agent = await agentOf('core-1')
    for (const column of [14, 19]) {
      const { varbinds } = await walk(client, agent, `${IF}.${column}`, 50)
      const counts = varbinds.map((v) => number(v.value))
      expect(counts.some((n) => n > 100)).toBe(true)
      expect(counts.filter((n) => n === 0).length).toBeGreaterThan(counts.length / 2)
    }
  })

  test('warehouse-1 does not answer for eight minutes every 41, and has restarted afterwards', () => {
    const model = FLEET.find((m) => m.name === 'warehouse-1')
    if (model === undefined) throw new Error('no warehouse-1')
    const responder = new Responder({ model, seed: 'portlight', community: 'public' })
    const states = [...moments(START_MS, 2 * POWER_CUTS.cycleS, 1)].map((ms) => responder.instant(ms))
    const dark = states.filter((t) => !t.powered).length
    expect(dark).toBe(2 * POWER_CUTS.darkS)
    for (const [i, t] of states.entries()) {
      const before = states[i - 1]
      if (before === undefined || t.powered === before.powered) continue
      if (t.powered) {
        expect(t.ticks).toBeLessThan(200)
        expect(t.boots).toBe(before.boots + 1)
      }
    }
  })

  test('what is behind warehouse-1 is silent while that has no power, has not restarted afterwards, and the cable is down', () => {
    const make = (name: string) => new Responder({ model: demoDevice(name), seed: 'portlight', community: 'public' })
    const [warehouse, ap, core] = [make('warehouse-1'), make('ap-2'), make('core-1')]
    const times = [...moments(START_MS, POWER_CUTS.cycleS / 10, 10)]
    const powered = times.map((ms) => warehouse.instant(ms).powered)
    expect(powered).toContain(false)
    expect(times.map((ms) => ap.instant(ms).powered)).toEqual(powered)
    expect(new Set(times.map((ms) => ap.instant(ms).boots)).size).toBe(1)
    // ifOperStatus of Gi2/0/48; the cable comes up when the switch does
    const { numbers: status } = core.past({
      ...{ counters: [], numbers: [`${IF}.8.149`], moments: Float64Array.from(times) },
    })
    expect([...status].map((value) => value === 1)).toEqual(powered)
  })

  test('a device without power does not answer, except during the grace time after the start', () => {
    const model = FLEET.find((m) => m.name === 'warehouse-1')
    if (model === undefined) throw new Error('no warehouse-1')
    const strict = new Responder({ model, seed: 'portlight', community: 'public' })
    const darkMs = [...moments(START_MS, POWER_CUTS.cycleS, 1)].find((ms) => !strict.instant(ms).powered) ?? 0
    const lenient = new Responder({ model, seed: 'portlight', community: 'public', graceUntilMs: darkMs + 1000 })
    const request = encodeQuestion({ type: 'GetRequest', oids: ['1.3.6.1.2.1.1.3.0'] }, 1)
    expect(strict.respond(request, darkMs)).toBeNull()
    expect(lenient.respond(request, darkMs)).not.toBeNull()
    expect(lenient.respond(request, darkMs + 1000)).toBeNull()
  })

  test('ups-1 goes on battery within 45 minutes: the alarm appears, the charge falls, and it recovers', async () => {
    const agent = await agentOf('ups-1')
    const oids = [
      '1.3.6.1.2.1.33.1.4.1.0',
      '1.3.6.1.2.1.33.1.2.2.0',
      '1.3.6.1.2.1.33.1.2.4.0',
      '1.3.6.1.2.1.33.1.6.1.0',
      '1.3.6.1.2.1.33.1.3.3.1.3.1',
    ]
    const seen = { mains: 0, battery: 0, lowestCharge: 100 }
    for (const ms of moments(START_MS, (2 * MAINS_CYCLE_S) / 30, 30)) {
      nowMs = ms
      const [source = 0, onBatteryS = 0, charge = 0, alarms = 0, volts = 0] = await numbers(agent, oids)
      const rows = (await walk(client, agent, '1.3.6.1.2.1.33.1.6.2')).varbinds
      expect(rows.length).toBe(2 * alarms)
      expect([source, alarms, onBatteryS > 0 || volts === 0]).toEqual(source === 5 ? [5, 1, true] : [3, 0, false])
      if (source === 5) seen.battery++
      else seen.mains++
      seen.lowestCharge = Math.min(seen.lowestCharge, charge)
    }
    nowMs = START_MS
    expect(seen.battery).toBeGreaterThan(10)
    expect(seen.mains).toBeGreaterThan(100)
    expect(seen.lowestCharge).toBeLessThan(85)
  })

  test('temperatures and loads move and stay plausible', async () => {
    const agent = await agentOf('db-1')
    // hrProcessorLoad of two cores, lmTempSensorsValue
    const oids = ['1.3.6.1.2.1.25.3.3.1.2.196608', '1.3.6.1.2.1.25.3.3.1.2.196615', '1.3.6.1.4.1.2021.13.16.2.1.3.1']
    const readings: number[][] = []
    for (const ms of moments(START_MS, 96, 900)) {
      nowMs = ms
      readings.push(await numbers(agent, oids))
    }
    nowMs = START_MS
    for (const [i, [low, high]] of [
      [0, 100],
      [0, 100],
      [35_000, 80_000],
    ].entries()) {
      const column = readings.map((r) => r[i] ?? Number.NaN)
      expect(Math.min(...column)).toBeGreaterThanOrEqual(low ?? 0)
      expect(Math.max(...column)).toBeLessThanOrEqual(high ?? 0)
      expect(new Set(column).size).toBeGreaterThan(10)
    }
  })
})

describe('serving it', () => {
  const key = (d: DemoDevice) => `${d.address}:${d.port}`

  test('in a thread: every device answers at its address with its name; stop frees the port', async () => {
    const fleet = await startDemoFleet({ log, port: 21_611 })
    try {
      expect(fleet.devices.length).toBe(FLEET.length)
      expect(new Set(fleet.devices.map(key)).size).toBe(FLEET.length)
      for (const device of fleet.devices) {
        const reply = await client.ask(device, { type: 'GetRequest', oids: ['1.3.6.1.2.1.1.5.0'] })
        const value = reply.varbinds[0]?.value
        expect(value?.kind === 'OctetString' ? new TextDecoder().decode(value.value) : value?.kind).toBe(
          device.hostname,
        )
      }
    } finally {
      await fleet.stop()
    }
    const again = await startDemoFleet({ log, port: fleet.devices[0]?.port ?? 0 })
    await again.stop()
    expect(again.devices.map(key)).toEqual(fleet.devices.map(key))
  }, 30_000)

  test('stop may be called twice', async () => {
    const fleet = await startDemoFleet({ log, port: 21_631 })
    await Promise.all([fleet.stop(), fleet.stop()])
  }, 30_000)

  test('a port in use is skipped for all devices', async () => {
    const first = await serveFleet({ port: 21_651, base: '127.43.0.1' })
    open.push(first)
    const second = await serveFleet({ port: 21_651, base: '127.43.0.1' })
    open.push(second)
    const ports = new Set(second.devices.map((d) => d.port))
    expect(ports.size).toBe(1)
    expect([...ports][0]).toBeGreaterThan(first.devices[0]?.port ?? Number.POSITIVE_INFINITY)
  })

  test.each(['10.0.0.1', '127.0.0.256', '127.255.255.250', 'localhost', '127.1'])(
    'refuses to serve on %s',
    async (base) => {
      await expect(serveFleet({ base })).rejects.toThrow(RangeError)
      await expect(startDemoFleet({ log, base })).rejects.toThrow('loopback')
    },
  )

  test('an unknown name is refused with a list of the known ones', async () => {
    await expect(openDemoAgent('core-2')).rejects.toThrow('core-1')
  })
})
