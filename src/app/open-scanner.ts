import type { Settings } from '../config/schema.ts'
import type { ObservedHost, ProbeTarget } from '../core/candidates/observed-host.ts'
import type { Store } from '../core/database/client.ts'
import type { ScanLine, ScanLines } from '../core/pollers/remote/link/scan-lines.ts'
import { remotePollerOfGroup } from '../core/pollers/remote/read.ts'
import { type AskHosts, type AskOptions, type ProbeTargets, targetIterator } from '../core/scans/scan.ts'
import type { Log } from '../observe/log.ts'
import { createScanner, jobOptions } from '../scanner/scanner.ts'
import { askAtSite } from '../scanner/sites/ask-at-site.ts'
import { aborted } from './stack.ts'

/** Opens a scanner that asks from here, and at the sites of remote pollers for their poller groups. The caller must close it. */
export function openScanner({
  store,
  settings,
  log,
  awayMs,
}: {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** How long a site may be unreachable before the scan is given up, milliseconds. Default: a minute. */
  readonly awayMs?: number
}): { readonly ask: AskHosts; close(): void } {
  const here = createScanner({ settings, log })
  let lines: Promise<ScanLines> | null = null

  /** The line to a group's remote poller; null: it has none. The client of NATS is loaded when there is one. */
  async function lineTo(pollerGroup: number): Promise<ScanLine | null> {
    if ((await remotePollerOfGroup(store, pollerGroup)) === null) return null
    lines ??= import('../core/pollers/remote/link/scan-lines.ts').then(({ createScanLines }) =>
      createScanLines({ store, settings, log }),
    )
    return await (await lines).to(pollerGroup)
  }

  async function* ask(
    targets: ProbeTargets,
    signal: AbortSignal,
    options: AskOptions = {},
  ): AsyncGenerator<ObservedHost> {
    const source = targetIterator(targets)
    const first = await source.next()
    if (first.done === true) return
    const { pollerGroup } = first.value
    const all = ofGroup(first.value, source)
    const line = await Promise.race([lineTo(pollerGroup), aborted(signal)])
    if (line === undefined) return
    // this host sends nothing to a site's addresses, which may be other machines here
    if (line === null) yield* here.ask(all, signal, options)
    else yield* askAtSite(line, all, signal, jobOptions(settings, options), awayMs)
  }

  return {
    ask,
    close() {
      void lines?.then((opened) => opened.close())
      here.close()
    },
  }
}

/** Puts back the first one. Throws RangeError for a target of another poller group. */
async function* ofGroup(
  first: ProbeTarget,
  rest: Iterator<ProbeTarget> | AsyncIterator<ProbeTarget>,
): AsyncGenerator<ProbeTarget> {
  for (let next: ProbeTarget | null = first; next !== null; ) {
    if (next.pollerGroup !== first.pollerGroup) throw new RangeError('targets of one call have different poller groups')
    yield next
    const { done, value }: IteratorResult<ProbeTarget> = await rest.next()
    next = done === true ? null : value
  }
}
