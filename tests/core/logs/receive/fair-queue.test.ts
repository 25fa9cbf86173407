import { describe, expect, test } from 'bun:test'
import { FairQueue, type Received } from '../../../../src/core/logs/receive/fair-queue.ts'

const LIMITS = { messages: 50, octets: 1 << 20 }

const message = (source: string, n: number): Received => ({
  source,
  octets: new TextEncoder().encode(`${source} ${n}`),
  at: n,
  port: n % 65_536,
})
const text = ({ octets }: Received) => new TextDecoder().decode(octets)

describe('messages that wait', () => {
  test('are taken from each sender in turn, in the order in which they were received', () => {
    const queue = new FairQueue(LIMITS)
    for (let n = 0; n < 4; n++) expect(queue.push(message('a', n))).toBe(0)
    queue.push(message('b', 9))
    expect(queue.size).toBe(5)
    const taken = queue.take(3)
    expect(taken.map(text)).toEqual(['a 0', 'b 9', 'a 1'])
    expect(taken[1]).toMatchObject({ source: 'b', at: 9, port: 9 })
    expect(queue.take(10).map(text)).toEqual(['a 2', 'a 3'])
    expect(queue.take(10)).toEqual([])
    expect(queue.size).toBe(0)
  })

  test('are copied, because the buffer of the socket is reused', () => {
    const queue = new FairQueue(LIMITS)
    const received = message('a', 1)
    queue.push(received)
    received.octets.fill(0)
    expect(queue.take(1).map(text)).toEqual(['a 1'])
  })

  test('of a sender that floods do not displace those of others', () => {
    const queue = new FairQueue(LIMITS)
    let dropped = 0
    for (let n = 0; n < 1000; n++) dropped += queue.push(message('flood', n))
    expect(dropped).toBe(950)
    expect(queue.size).toBe(50)
    for (let n = 0; n < 20; n++) dropped += queue.push(message('quiet', n))
    expect(dropped).toBe(970)
    const taken = queue.take(100)
    expect(taken.filter(({ source }) => source === 'quiet').map(({ at }) => at)).toEqual([...Array(20).keys()])
    expect(taken.filter(({ source }) => source === 'flood').map(({ at }) => at)).toEqual([...Array(30).keys()])
  })

  test('have a limited total size', () => {
    const queue = new FairQueue({ messages: 1000, octets: 100_000 })
    const long = { source: 'a', octets: new Uint8Array(9000), at: 0, port: 0 }
    let dropped = 0
    for (let n = 0; n < 30; n++) dropped += queue.push(long)
    expect([queue.size, dropped]).toEqual([10, 20])
  })

  test('tens of thousands of senders with lines of the same length: finding the longest does not hold up the rest', () => {
    const queue = new FairQueue({ messages: 100_000, octets: 32 << 20 })
    const short = (n: number) => ({ source: `198.18.${n >> 8}.${n & 255}`, octets: new Uint8Array(9), at: n, port: 1 })
    for (let n = 0; n < 50_000; n++) for (let twice = 0; twice < 2; twice++) queue.push(short(n))
    // each displaces a message of another sender; looking through all lines each time would take minutes
    let dropped = 0
    for (let n = 50_000; n < 65_000; n++) dropped += queue.push(short(n))
    expect([queue.size, dropped]).toEqual([100_000, 15_000])
    const taken = queue.take(200_000)
    expect([taken.length, queue.size, new Set(taken.map(({ source }) => source)).size]).toEqual([100_000, 0, 65_000])
    expect(queue.push(short(1))).toBe(0)
  }, 60_000)

  test('random senders: losses are counted, and the messages of each sender stay in order', () => {
    const queue = new FairQueue(LIMITS)
    let seed = 1
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % below
    }
    const last = new Map<string, number>()
    let [pushed, dropped, taken] = [0, 0, 0]
    for (let step = 0; step < 20_000; step++) {
      if (random(10) < 6) dropped += queue.push(message(`s${random(random(2) === 0 ? 1 : 12)}`, ++pushed))
      else
        for (const { source, at } of queue.take(random(4))) {
          expect(at).toBeGreaterThan(last.get(source) ?? 0)
          last.set(source, at)
          taken++
        }
      expect(queue.size).toBe(pushed - dropped - taken)
      expect(queue.size).toBeLessThanOrEqual(LIMITS.messages)
    }
    expect(dropped).toBeGreaterThan(100)
  })
})
