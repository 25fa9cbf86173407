import { addressOctets, inNetwork, parseNetwork } from '@portlight/addresses/networks.ts'
import { SYSTEM } from '../core/base/actor.ts'
import type { RecordedHost } from '../core/candidates/observed-host.ts'
import { checkNetworks, outsideText } from '../core/scans/check-networks.ts'
import { runNow } from '../core/scans/run-now.ts'
import type { Scan, ScanCounts } from '../core/scans/scan.ts'
import { planOf } from '../core/scans/scan-plan.ts'
import { oneLine } from '../lib/one-line.ts'
import type { LoadComposition } from './app.ts'
import { CliError } from './errors.ts'
import type { CommandContext } from './open.ts'
import { print, printJson, say } from './output.ts'
import { requireDefinitions } from './own-definitions.ts'

/** Options of `portlight scan`. */
export interface ScanOptions {
  readonly json?: boolean
  readonly all?: boolean
  readonly rate?: number
  readonly group?: string
  readonly pingOnly?: boolean
  readonly ping: boolean
  readonly large?: boolean
}

/** Excluded addresses that are printed one by one. */
const MAX_EXCLUDED = 1024

/** Scans in this process, prints what answers, and says on stderr how far it is and what came of it. */
export async function scanHere(
  context: CommandContext,
  load: LoadComposition,
  networks: readonly string[],
  options: ScanOptions,
): Promise<void> {
  const { services, settings, database, gateway, log } = context
  const printed = printer(options)
  const { outside } = checkNetworks(networks, settings.get('nets'), options.large === true)
  if (outside.length > 0) {
    for (const network of outside) printed(excluded(network, false))
    throw new CliError(`${outsideText(outside)} (portlight config set nets '["…"]')`)
  }
  const scans = await services.scans.start(
    SYSTEM,
    {
      networks,
      ...(options.rate !== undefined && { rate: options.rate }),
      ...(options.group !== undefined && { pollerGroup: options.group }),
      ...{ ping: options.ping, snmp: options.pingOnly !== true, large: options.large === true },
    },
    true,
  )
  requireDefinitions()
  const scanner = (await load()).openScanner({ store: database.store, settings, log })
  const interruption = new AbortController()
  const began = performance.now()
  const ended: Scan[] = []
  const running = (async () => {
    for (const scan of scans) {
      if (interruption.signal.aborted) {
        await services.scans.stop(SYSTEM, scan.id)
        continue
      }
      const own = settings.get('nets').map(parseNetwork)
      for (const address of planOf(settings, scan.networks).excludedAddresses(MAX_EXCLUDED)) {
        const octets = addressOctets(address.split(' ', 1)[0] ?? '')
        printed(excluded(address, octets !== null && own.some((one) => one !== null && inNetwork(octets, one))))
      }
      const show = progressLine(scan)
      const result = await runNow(
        { store: database.store, settings, gateway, ask: scanner.ask, log },
        scan,
        interruption.signal,
        {
          waits: () => say(`scan ${scan.id} waits until another scan of the same poller group has ended`),
          progress: show.update,
          host(host) {
            show.clear()
            printed(host)
          },
        },
      )
      show.clear()
      ended.push(result)
    }
  })()
  context.atInterruption(async () => {
    interruption.abort()
    await running
    for (const { id } of scans) say(`scan ${id} stopped; resume it with POST /api/v1/scans/${id}/resume or on its page`)
  })
  try {
    await running
  } finally {
    scanner.close()
  }
  if (interruption.signal.aborted) return
  const seconds = (performance.now() - began) / 1000
  for (const line of summary(ended, seconds)) say(line)
  if (ended.some(({ state }) => state === 'failed')) throw new CliError('the scan is not complete')
}

/** `own`: the address is inside of setting nets. */
const excluded = (address: string, own: boolean): RecordedHost => ({
  ...{ address, state: 'excluded', name: null, sysObjectId: null, candidateId: null, deviceId: null },
  why: own ? 'Not asked: inside setting autodiscovery.nets-exclude.' : 'Not asked: outside setting nets.',
})

/** Prints a host as the options say. */
function printer({ json, all }: ScanOptions): (host: RecordedHost) => void {
  return (host) => {
    const { address, state, name, sysObjectId, candidateId, deviceId, why } = host
    if (state === 'silent' && all !== true) return
    if (json === true) {
      const ids = { sysObjectID: sysObjectId, candidate: candidateId, device: deviceId }
      return printJson({ address, state, name, ...ids, why }, 0)
    }
    const cells = [address.padEnd(15), state.padEnd(8), (name ?? '-').padEnd(24), sysObjectId ?? '-', why]
    print(cells.map(oneLine).join('  '))
  }
}

/** How far a scan is, in one line of a terminal. */
function progressLine({ id }: Scan): { update(counts: ScanCounts): void; clear(): void } {
  if (!process.stderr.isTTY) return { update: () => undefined, clear: () => undefined }
  const began = performance.now()
  let shown = false
  return {
    update({ done, total, found, added, known }) {
      const perS = done / Math.max(1, (performance.now() - began) / 1000)
      const rest = perS === 0 ? '' : `, ${Math.ceil((total - done) / perS)} s left`
      process.stderr.write(
        `\r\u001b[Kscan ${id}: ${done} of ${total} addresses, ${found + added} found, ${known} known, ${Math.round(perS)} addresses/s${rest}`,
      )
      shown = true
    },
    clear() {
      if (shown) process.stderr.write('\r\u001b[K')
      shown = false
    },
  }
}

function summary(scans: readonly Scan[], seconds: number): string[] {
  const sum = (of: (counts: ScanCounts) => number): number => scans.reduce((all, { counts }) => all + of(counts), 0)
  const failed = sum(({ refused }) => Object.values(refused).reduce((all, count) => all + count, 0))
  const parts = [
    `scanned ${sum(({ done }) => done)} addresses in ${seconds.toFixed(1)} s`,
    ...[
      `${sum(({ found }) => found)} found`,
      `${sum(({ known }) => known)} known`,
      `${sum(({ added }) => added)} added`,
    ],
    ...[`${failed} failed`, `${sum((counts) => counts.excluded)} excluded`],
  ]
  return [parts.join(', '), ...scans.flatMap(({ why }) => (why === null ? [] : [why]))]
}
