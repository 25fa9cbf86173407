import { expect, setDefaultTimeout, test } from 'bun:test'
import { signedGraphRoutes } from '../../src/api/signed-graphs.ts'
import { presentV0Error } from '../../src/api/v0/present-error.ts'
import { drawPictures } from '../../src/core/alerts/graph-attachments.ts'
import { BeyondBudget, type GraphOptions } from '../../src/core/base/graphs.ts'
import { atOnce, createBudget } from '../../src/graphs/fairly.ts'
import { createGraphs } from '../../src/graphs/graphs.ts'
import { knownSeries, NOW_S } from './fixtures.ts'

setDefaultTimeout(60_000)

const FORMS: Readonly<Record<string, GraphOptions>> = {
  PNG: {},
  'large PNG': { width: '4000', height: '2000' },
  SVG: { output: 'svg' },
  JSON: { output: 'json' },
  chart: { output: 'chart' },
}
const MANY = Array.from({ length: 300 }, (_, i) => `Temperature ${i}`)

function graphsOf(o: { budgetMs?: number; mostWaiting?: number; names?: readonly string[] }) {
  const beyond: string[] = []
  const { names, ...limits } = o
  const graphs = createGraphs({
    series: knownSeries({ value: (t) => t % 97, ...(names !== undefined && { names }) }),
    now: () => NOW_S * 1000,
    onBeyond: (graph, why) => beyond.push(`${graph}: ${why}`),
    ...limits,
  })
  return { graphs, beyond }
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

// Below zero: the kernel counts a thread's time in ticks, so work of a few milliseconds may count as none.
test.each(Object.entries(FORMS))('a graph beyond its budget is refused and named: %s', async (_, options) => {
  const { graphs, beyond } = graphsOf({ budgetMs: -1, names: MANY })
  const error = await failure(graphs.device(7, 'device_temperature', options))
  expect(error).toBeInstanceOf(BeyondBudget)
  expect(String(error)).toContain('ask for a smaller image, or again later')
  expect(beyond).toHaveLength(1)
  expect(beyond[0]).toStartWith('device_temperature of device 7, ')
  // the next one is drawn
  expect((await graphsOf({}).graphs.device(7, 'device_temperature', options)).kind).not.toBe('no-data')
})

test('an image beyond its budget does not hold up those behind it', async () => {
  const { graphs } = graphsOf({ budgetMs: -1, names: MANY })
  const first = failure(graphs.device(7, 'device_temperature', {}))
  const second = failure(graphs.device(8, 'device_temperature', { output: 'svg' }))
  expect(await first).toBeInstanceOf(BeyondBudget)
  expect(await second).toBeInstanceOf(BeyondBudget)
})

test('more images than may wait are refused at once, and the others are drawn', async () => {
  const { graphs, beyond } = graphsOf({ mostWaiting: 3 })
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      graphs.port(i, 'port_bits', {}).then(
        ({ kind }) => kind,
        (error: unknown) => (error instanceof BeyondBudget ? 'refused' : String(error)),
      ),
    ),
  )
  const refused = outcomes.filter((kind) => kind === 'refused').length
  expect(new Set(outcomes)).toEqual(new Set(['image', 'refused']))
  expect(outcomes.length - refused).toBeGreaterThanOrEqual(3)
  expect(beyond).toHaveLength(refused)
  expect((await graphs.port(1, 'port_bits', {})).kind).toBe('image')
})

test('work in steps ends with its value, with time for other work, and its errors are passed on', async () => {
  function* slow(): Generator<void, string> {
    for (let i = 0; i < 5; i++) {
      const until = usedMs() + 20
      while (usedMs() < until);
      yield
    }
    return 'done'
  }
  let turns = 0
  const count = (): void => {
    turns++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  expect(await createBudget(60_000)(slow())).toBe('done')
  clearImmediate(timer)
  expect(turns).toBeGreaterThanOrEqual(5)
  expect(atOnce(slow())).toBe('done')
  // the parts of a graph share its budget
  const shared = createBudget(150)
  expect(await failure(shared(slow()).then(() => shared(slow())))).toBeInstanceOf(BeyondBudget)
  // biome-ignore lint/correctness/useYield: fails before its first step
  function* failing(): Generator<void, string> {
    throw new Error('broken')
  }
  expect(String(await failure(createBudget()(failing())))).toContain('broken')
})

test('a notification has the pictures that could be drawn, and the log names the others', async () => {
  const { graphs, beyond } = graphsOf({ budgetMs: -1, names: MANY })
  const context = { faults: [{ sensor_id: 3, sensor_class: 'temperature' }], device_id: 7, time: NOW_S * 1000 } as never
  expect(await drawPictures(graphs, context)).toEqual([])
  expect(beyond[0]).toStartWith(
    'device_temperature of part 3 of device 7, 700 x 200 for 86400 s: this graph takes longer',
  )
  expect(await drawPictures(graphsOf({}).graphs, context)).toHaveLength(1)
})

const usedMs = () => process.threadCpuUsage().user / 1000

function logged() {
  const lines: { readonly fields: unknown; readonly message: string }[] = []
  const log = { warn: (fields: unknown, message: string) => lines.push({ fields, message }) }
  return { log: log as never, lines }
}

test('the API answers with the reason, and the log names the path without its query', async () => {
  const { log, lines } = logged()
  const request = new Request('http://localhost/api/v0/devices/core1/device_temperature?api_token=hidden')
  const answer = presentV0Error(new BeyondBudget('this graph takes longer than 5 s to draw'), request, log)
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('ask for a smaller image, or again later')
  expect(lines).toHaveLength(1)
  expect(JSON.stringify(lines)).toContain('/api/v0/devices/core1/device_temperature')
  expect(JSON.stringify(lines)).not.toContain('hidden')
})

test('a signed link answers with the reason, and the log names the path without its signature', async () => {
  const { log, lines } = logged()
  const { graphs } = graphsOf({ budgetMs: -1, names: MANY })
  const signedGraphs = { open: () => graphs.device(7, 'device_temperature', {}) } as never
  const answer = await signedGraphRoutes({ signedGraphs, log }).handle(
    new Request('http://localhost/signed-graph?device=7&signature=hidden'),
  )
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('ask for a smaller image')
  expect(lines).toHaveLength(1)
  expect(JSON.stringify(lines)).toContain('/signed-graph')
  expect(JSON.stringify(lines)).not.toContain('hidden')
})
