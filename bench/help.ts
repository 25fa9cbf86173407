import { addressOf } from '../src/web/help/address.ts'
import { documents } from '../src/web/help/documents.ts'
import { helpSearch } from '../src/web/help/search.ts'
import { withDatabase } from './support/database.ts'
import { type BenchResult, result } from './support/result.ts'
import { PASSWORD, withPages } from './support/web-server.ts'

/** Times each page is read, and each question asked. */
const ROUNDS = 3
const QUESTIONS = [
  ...['device not responding to snmp', 'no graphs', 'change community', 'how long is data kept', 'ldap login'],
  ...['alert email not sent', 'reverse proxy sub path', 'poller slow', 'bill 95th percentile', 'api token', 'grafana'],
]

/**
 * The help: sizes of its pages as browsers receive them, how long the server takes for a page and for a search, and what the
 * index of the search costs: time, the longest time in which the process does nothing else, memory.
 */
export async function run(): Promise<BenchResult[]> {
  return await withDatabase(4, (store) => withPages(store, measured))
}

async function measured(origin: string): Promise<BenchResult[]> {
  const signedIn = await fetch(`${origin}/sign-in`, {
    ...{ method: 'POST', redirect: 'manual', headers: { origin } },
    body: new URLSearchParams({ username: 'admin', password: PASSWORD }),
  })
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const read = async (path: string) => {
    const beganMs = performance.now()
    const answer = await fetch(origin + path, {
      headers: { cookie, accept: 'text/html', 'accept-encoding': 'gzip' },
      decompress: false,
    })
    const octets = (await answer.arrayBuffer()).byteLength
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}`)
    return { octets, ms: performance.now() - beganMs }
  }
  // scripts, styles and the session are there for every page
  await read('/about')
  const index = await indexed()

  const pages = documents().pages.map(addressOf)
  const [first, again, sizes]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++)
    for (const page of pages) {
      const { octets, ms } = await read(page)
      if (round > 0) again.push(ms)
      else {
        first.push(ms)
        sizes.push(octets)
      }
    }
  const searches: number[] = []
  for (let round = 0; round < 10 * ROUNDS; round++)
    for (const question of QUESTIONS) searches.push((await read(`/help?q=${encodeURIComponent(question)}`)).ms)
  const kB = (octets: number) => octets / 1000
  return [
    result(`help: compressed size of a page, median of ${pages.length}`, kB(part(sizes, 0.5)), 'kB'),
    result(
      'help: compressed size of the largest page',
      kB(part(sizes, 1)),
      'kB',
      null,
      atMost(kB(part(sizes, 1)), 120, 'kB'),
    ),
    result('help: a page for the first time, median', part(first, 0.5), 'ms'),
    result('help: a page for the first time, longest', part(first, 1), 'ms'),
    result('help: a page, median', part(again, 0.5), 'ms'),
    result('help: a page, 99th', part(again, 0.99), 'ms', null, atMost(part(again, 0.99), 50, 'ms')),
    result('help: a search, median', part(searches, 0.5), 'ms'),
    result('help: a search, 99th', part(searches, 0.99), 'ms', null, atMost(part(searches, 0.99), 100, 'ms')),
    ...index,
  ]
}

/** What making the index takes. */
async function indexed(): Promise<BenchResult[]> {
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  let [last, held] = [performance.now(), 0]
  const beat = setInterval(() => {
    const now = performance.now()
    held = Math.max(held, now - last)
    last = now
  }, 1)
  const [beganMs, beganCpu] = [performance.now(), process.cpuUsage()]
  await helpSearch()
  const tookMs = performance.now() - beganMs
  const { user, system } = process.cpuUsage(beganCpu)
  await Bun.sleep(5)
  clearInterval(beat)
  Bun.gc(true)
  const grownMiB = (process.memoryUsage.rss() - before) / 2 ** 20
  return [
    result('help: making the index', tookMs, 'ms'),
    result('help: CPU time of making the index', (user + system) / 1000, 'ms'),
    result('help: the thread is held meanwhile for', held, 'ms', null, atMost(held, 100, 'ms')),
    result('help: memory of the index and the pages', grownMiB, 'MiB', null, atMost(grownMiB, 80, 'MiB')),
  ]
}

const atMost = (value: number, most: number, unit: string) => ({ text: `at most ${most} ${unit}`, met: value <= most })

/** The value below which this share of the values is. */
function part(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
