import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { writeSamples } from '../../src/core/series/write.ts'
import { isAllZero, type Stepped } from '../../src/lib/all-zero.ts'
import { batch, makeDevice, portSamples } from '../support/samples.ts'
import { type Person, type TestWeb, testWeb } from './support.ts'

setDefaultTimeout(240_000)

/** A chart of series at 0 s, 300 s…, which was read when the last step was `overS` seconds old. */
function chart(lists: readonly (readonly (number | null)[])[], overS = 300): Stepped {
  const time = (lists[0] ?? []).map((_, i) => i * 300)
  const series = lists.map((values) => ({ values, band: null }))
  return { time, series, step: 300, to: (time.at(-1) ?? 0) + overS }
}

describe('only zeros', () => {
  test.each([
    ['known and 0', chart([[0, 0, 0]]), true],
    ['minus 0', chart([[0, -0, 0]]), true],
    ['one value', chart([[0]]), true],
    ['one of a million', chart([Array.from({ length: 1_000_000 }, (_, i) => (i === 700_000 ? 1e-9 : 0))]), false],
    [
      'another series',
      chart([
        [0, 0],
        [0, 0.1],
      ]),
      false,
    ],
    ['an unknown value among them', chart([[0, null, 0]]), false],
    ['an unknown beginning', chart([[null, 0, 0]]), false],
    ['an unknown end of a step that is over', chart([[0, 0, null]]), false],
    ['an unknown end of a step that is not over', chart([[0, 0, null]], 200), true],
    ['only a step that is not over', chart([[null]], 200), false],
    ['nothing but unknown', chart([[null, null]]), false],
    ['no number', chart([[0, Number.NaN]]), false],
    ['no steps', chart([[]]), false],
    ['no series', chart([]), false],
    ['a series that is too short', { ...chart([[0, 0]]), time: [0, 300, 600] }, false],
  ])('%s', (_, given, want) => {
    expect(isAllZero(given)).toBe(want)
  })

  test('a mean of 0 whose highest sample is not', () => {
    const { series, ...rest } = chart([[0, 0]])
    const [first] = series
    if (first === undefined) throw new Error('no series')
    expect(isAllZero({ ...rest, series: [{ ...first, band: { lowest: [0, 0], highest: [0, 3] } }] })).toBe(false)
  })
})

describe('the page of a port', () => {
  const STEP_S = 300
  let web: TestWeb
  let admin: Person
  let ports: readonly number[]
  const nowMs = Math.floor(Date.now() / 1000) * 1000

  /** Polls of the last four hours; `errors` by the number of the poll; undefined: not polled, null: not answered. */
  const polled = async (portId: number, errors: (poll: number) => number | null | undefined) => {
    const samples = Array.from({ length: 48 }, (_, i) => {
      const count = errors(i)
      const counted = count === null ? {} : { in_err: count ?? 0, out_err: 0, in_disc: 0, out_disc: 0 }
      const deltas = { in_octets: 1e6, out_octets: 1e6, ...counted }
      return count === undefined
        ? []
        : [{ portId, time: nowMs - (48 - i) * STEP_S * 1000, periodMs: STEP_S * 1000, deltas }]
    }).flat()
    // a batch holds a port once
    for (const sample of samples) await writeSamples(web.api.store, batch({ ports: portSamples([sample]) }))
  }

  beforeAll(async () => {
    web = await testWeb()
    admin = await web.signedIn(['admin'])
    const { deviceId, portIds } = await makeDevice(web.api.store, 5)
    ports = portIds
    await web.api.store.sql`update devices set last_polled = now(), status = 1 where device_id = ${deviceId}`
    const [clean = 0, broken = 0, gap = 0, silent = 0] = portIds
    await polled(clean, () => 0)
    await polled(broken, (poll) => (poll === 20 ? 1 : 0))
    await polled(gap, (poll) => (poll > 20 && poll < 26 ? undefined : 0))
    await polled(silent, () => null)
  })
  afterAll(() => web.drop())

  const FOLDED = 'No errors, no discards in this range'
  const shown = async (i: number) => {
    const address = `/port/${ports[i]}?from=${nowMs / 1000 - 3 * 3600}&to=${nowMs / 1000 - STEP_S}`
    return await (await web.send(address, { cookie: admin.cookie })).text()
  }

  test('says that there were no errors, with the chart behind it', async () => {
    const text = await shown(0)
    expect(text).toContain(FOLDED)
    expect(/<details class="card quiet">.*?<\/details>/s.exec(text)?.[0]).toContain('port_errors')
    // traffic is drawn, whatever it is
    expect(text.match(/<details class="card quiet">/g)).toHaveLength(1)
  })

  test.each([
    ['one error', 1],
    ['an outage of the polls', 2],
    ['a device that does not count errors', 3],
    ['a port that was never polled', 4],
  ])('draws the chart after %s', async (_, i) => {
    const text = await shown(i)
    expect(text).toContain('port_errors')
    expect(text).not.toContain(FOLDED)
  })
})
