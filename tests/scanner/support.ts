import { createSettings } from '../../src/config/settings.ts'
import type { ObservedHost, ProbeTarget } from '../../src/core/candidates/observed-host.ts'
import { type AskOptions, scanSource } from '../../src/core/scans/scan.ts'
import { createLog } from '../../src/observe/log.ts'
import { createScanner } from '../../src/scanner/scanner.ts'

/** A target of a scan. */
export function probeTarget(address: string): ProbeTarget {
  return { address, pollerGroup: 0, source: scanSource(1) }
}

/** Asks addresses with these settings, one batch after another, and returns what they answered, by address. */
export async function ask(
  flags: Readonly<Record<string, string>>,
  batches: readonly (readonly string[])[],
  options: AskOptions = {},
): Promise<Map<string, ObservedHost>> {
  const settings = createSettings({ flags: { nets: '127.0.0.0/8,::1', 'snmp.timeout': '0.3', ...flags } })
  const scanner = createScanner({ settings, log: createLog('silent') })
  const hosts = new Map<string, ObservedHost>()
  const turns: (() => void)[] = []
  async function* targets() {
    for (const batch of batches) {
      for (const address of batch) yield probeTarget(address)
      if (batch !== batches.at(-1)) await new Promise<void>((resolve) => turns.push(resolve))
    }
  }
  try {
    let due = batches[0]?.length ?? 0
    let at = 0
    for await (const host of scanner.ask(targets(), new AbortController().signal, { ping: false, ...options })) {
      hosts.set(host.target.address, host)
      if (--due > 0) continue
      due = batches[++at]?.length ?? 0
      turns.shift()?.()
    }
  } finally {
    scanner.close()
  }
  return hosts
}

/** A UDP socket that counts what it gets and answers nothing. */
export async function silentAt(hostname: string, port = 0) {
  const received: Uint8Array[] = []
  const socket = await Bun.udpSocket({
    hostname,
    port,
    binaryType: 'uint8array',
    socket: { data: (_socket, data) => void received.push(data.slice()), error: () => undefined },
  })
  return { port: socket.port, received, close: () => socket.close() }
}
