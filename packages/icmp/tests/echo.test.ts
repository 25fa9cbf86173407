import { describe, expect, test } from 'bun:test'
import { createPinger, type PingMethod } from '../src/echo.ts'
import { openIcmpSocket } from '../src/socket.ts'

const has: Readonly<Record<string, boolean>> = {
  socket: [openIcmpSocket(4)].some((socket) => {
    socket?.close()
    return socket !== null
  }),
  fping: Bun.which('fping') !== null,
  ping: Bun.which('ping') !== null,
}
const WAYS: readonly { way: string; without: readonly PingMethod[] }[] = [
  { way: 'socket', without: ['fping', 'ping'] },
  { way: 'fping', without: ['raw', 'datagram', 'ping'] },
  { way: 'ping', without: ['raw', 'datagram', 'fping'] },
]
for (const { way } of WAYS)
  if (has[way] !== true) console.warn(`SKIPPED: echo by ${way}: not available on this host or to this user`)

describe.each([...WAYS])('echo by $way', ({ way, without }) => {
  const able = has[way] === true

  test.skipIf(!able)('loopback answers every request, in a plausible time', async () => {
    const pinger = await createPinger({ without })
    const result = await pinger.ping('127.0.0.1', { count: 2, timeoutMs: 1000 })
    pinger.close()
    expect(result).toMatchObject({ kind: 'measured', sent: 2, received: 2 })
    if (result.kind !== 'measured') return
    const { rttMinMs, rttAvgMs, rttMaxMs } = result
    expect(rttMinMs).not.toBeNull()
    expect(rttMinMs ?? -1).toBeGreaterThanOrEqual(0)
    expect(rttAvgMs ?? -1).toBeGreaterThanOrEqual(rttMinMs ?? 0)
    expect(rttMaxMs ?? -1).toBeGreaterThanOrEqual(rttAvgMs ?? 0)
    expect(rttMaxMs ?? 1e9).toBeLessThan(1000)
  })

  test.skipIf(!able)('IPv6 loopback', async () => {
    const pinger = await createPinger({ without })
    expect(await pinger.ping('::1', { count: 1, timeoutMs: 1000 })).toMatchObject({ sent: 1, received: 1 })
    pinger.close()
  })

  test.skipIf(!able)('a hundred addresses at once', async () => {
    const pinger = await createPinger({ without })
    const addresses = Array.from({ length: way === 'ping' ? 20 : 100 }, (_, i) => `127.3.0.${i + 1}`)
    const results = await Promise.all(addresses.map((address) => pinger.ping(address, { count: 1, timeoutMs: 1000 })))
    pinger.close()
    expect(results.filter((r) => r.kind === 'measured' && r.received === 1)).toHaveLength(addresses.length)
  })

  test('text that is not an address is unavailable, and never becomes an argument of a program', async () => {
    const pinger = await createPinger({ without })
    expect(await pinger.ping('-c1000', { count: 1, timeoutMs: 100 })).toEqual({ kind: 'unavailable' })
    pinger.close()
  })
})

describe('echo', () => {
  test.skipIf(has['socket'] !== true)('silence is counted as sent and not received', async () => {
    const pinger = await createPinger({ without: ['fping', 'ping'] })
    // 240.0.0.0/4 is reserved: nothing answers, and most kernels do not even send
    const result = await pinger.ping('240.0.0.1', { count: 2, timeoutMs: 30 })
    pinger.close()
    expect(result).toEqual({ kind: 'measured', sent: 2, received: 0, rttAvgMs: null, rttMinMs: null, rttMaxMs: null })
  })

  test.skipIf(has['socket'] !== true)('closing gives up pending requests', async () => {
    const pinger = await createPinger({ without: ['fping', 'ping'] })
    const pending = pinger.ping('240.0.0.1', { count: 3, timeoutMs: 60_000 })
    pinger.close()
    expect(await pending).toMatchObject({ kind: 'measured', received: 0 })
  })

  test('without any method ping is unavailable, with one warning per address family', async () => {
    const lines: unknown[] = []
    const log = { warn: (...line: unknown[]) => lines.push(line) } as unknown as NonNullable<
      Parameters<typeof createPinger>[0]
    >['log']
    const pinger = await createPinger({
      without: ['raw', 'datagram', 'fping', 'ping'],
      ...(log !== undefined && { log }),
    })
    expect(await pinger.ping('127.0.0.1', { count: 1, timeoutMs: 10 })).toEqual({ kind: 'unavailable' })
    expect(pinger.method).toEqual({ 4: 'unavailable', 6: 'unavailable' })
    expect(lines).toHaveLength(2)
  })
})
