import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createBusy, readBusy } from '../../src/observe/busy.ts'
import { judge, START } from '../../src/observe/watchdog.ts'

const LIMITS = { stalledMs: 5000, endMs: 120_000, requestMs: 30_000, warnOctets: 800, endOctets: 950 }
const work = [{ name: 'request GET /graph/device/7/device_voltage', beganMs: 1000 }]

describe('the watchdog', () => {
  const after = (ticks: number, rss = 100) => {
    let found = judge(START, { beats: 1, work, nowMs: 1000, rss }, 500, LIMITS)
    const messages: string[] = []
    for (let i = 1; i <= ticks && !found.isOver; i++) {
      found = judge(found.state, { beats: 1, work, nowMs: 1000 + i * 500, rss }, 500, LIMITS)
      messages.push(...found.lines.map(({ message }) => message))
    }
    return { ...found, messages }
  }

  test('names the work once when the main thread stops responding, and its return', () => {
    const stalled = after(20)
    expect(stalled.messages).toEqual(['the main thread does not respond'])
    const back = judge(stalled.state, { beats: 2, work: [], nowMs: 12_000, rss: 100 }, 500, LIMITS)
    expect(back.lines.map(({ message }) => message)).toEqual(['the main thread responds again'])
    expect(back.isOver).toBe(false)
  })

  test('ends a process that does not come back, sooner if its memory runs out', () => {
    expect(after(1000).state.stalledMs).toBe(LIMITS.endMs)
    const full = after(1000, 960)
    expect(full.state.stalledMs).toBe(LIMITS.stalledMs)
    expect(full.isOver).toBe(true)
  })

  test('does not count a pause of the whole process, in which it had no ticks of its own', () => {
    const before = judge(START, { beats: 1, work: [], nowMs: 0, rss: 1 }, 500, LIMITS)
    const resumed = judge(before.state, { beats: 1, work: [], nowMs: 3_600_000, rss: 1 }, 500, LIMITS)
    expect(resumed.state.stalledMs).toBe(500)
    expect(resumed.lines).toEqual([])
  })

  test('says nothing new about memory that cannot be read', () => {
    const full = judge(START, { beats: 1, work: [], nowMs: 0, rss: 850 }, 500, LIMITS)
    expect(full.state.isFull).toBe(true)
    const unread = judge(full.state, { beats: 1, work: [], nowMs: 500, rss: null }, 500, LIMITS)
    expect(unread.state.isFull).toBe(true)
    expect(unread.lines).toEqual([])
    expect(judge(START, { beats: 1, work: [], nowMs: 0, rss: null }, 500, LIMITS).state.isFull).toBe(false)
  })

  test('names a request that is not answered, once', () => {
    const seen = { beats: 1, work, nowMs: 40_000, rss: 1 }
    const first = judge(START, seen, 500, LIMITS)
    expect(first.lines).toMatchObject([{ message: 'a request is not answered', seconds: 39 }])
    expect(judge(first.state, { ...seen, beats: 2 }, 500, LIMITS).lines).toEqual([])
  })
})

test('work is named while it lasts; beyond the slots it is not, and slots are free again', () => {
  const busy = createBusy(() => 5000)
  const ends = Array.from({ length: 100 }, (_, i) => busy.begin(`request ${i} ${'é'.repeat(500)}`))
  const { work: known } = readBusy(busy.memory)
  expect(known).toHaveLength(32)
  for (const { name, beganMs } of known) {
    expect(name).toMatch(/^request \d+ é+$/)
    expect(beganMs).toBe(5000)
  }
  for (const end of [...ends, ...ends]) end()
  expect(readBusy(busy.memory).work).toEqual([])
  expect(Array.from({ length: 40 }, () => busy.begin('x')) && readBusy(busy.memory).work).toHaveLength(32)
})

test('a process whose main thread never returns names the request and ends', async () => {
  const root = join(import.meta.dir, '../../src/observe')
  const program = `
    import { mainWork } from '${root}/busy.ts'
    import { createLog } from '${root}/log.ts'
    import { watchMain } from '${root}/watchdog.ts'
    watchMain(mainWork, createLog('info', 'json'), 'json', { stalledMs: 1000, endMs: 2000 })
    mainWork.begin('request GET /graph/device/7/device_voltage')
    setTimeout(() => { for (;;); }, 1500)`
  const child = Bun.spawn([process.execPath, '-e', program], { stderr: 'pipe', stdout: 'ignore' })
  const lines = (await new Response(child.stderr).text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  expect(lines.map(({ msg }) => msg)).toEqual([
    'the main thread does not respond',
    'ended, because the main thread does not respond; its supervisor starts it again',
  ])
  expect(lines[0].doing[0]).toStartWith('request GET /graph/device/7/device_voltage for ')
}, 60_000)
