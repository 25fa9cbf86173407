import type { Log } from '../../../observe/log.ts'
import type { ServiceSelection } from '../write-results.ts'

export interface Reloader {
  /** Reads services again soon. Requests for single services are batched; all are read at most once in `everyMs`. */
  ask(which: ServiceSelection): void
  /** Resolves when no request is pending. */
  idle(): Promise<void>
  stop(): Promise<void>
}

export interface ReloaderOptions {
  readonly load: (which: ServiceSelection) => Promise<void>
  readonly log: Log
  readonly everyMs: number
}

const GATHER_MS = 20
const RETRY_MS = 1000

/** Reads services again, one read at a time, and retries while the database is unavailable. */
export function createReloader({ load, log, everyMs }: ReloaderOptions): Reloader {
  let all = false
  let allAt = Number.NEGATIVE_INFINITY
  let services = new Set<number>()
  let devices = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | null = null
  let running: Promise<void> | null = null
  let up = true
  let stopped = false
  let idle = Promise.withResolvers<void>()
  idle.resolve()

  const waits = (): boolean => all || services.size > 0 || devices.size > 0

  function soon(delayMs: number): void {
    if (stopped || timer !== null || running !== null) return
    timer = setTimeout(() => {
      timer = null
      running = read().finally(() => {
        running = null
        if (waits()) soon(up ? nextMs() : RETRY_MS)
        else idle.resolve()
      })
    }, delayMs)
  }

  function nextMs(): number {
    const single = services.size > 0 || devices.size > 0
    return single ? GATHER_MS : Math.max(GATHER_MS, allAt + everyMs - performance.now())
  }

  async function read(): Promise<void> {
    const everything = all && performance.now() - allAt >= everyMs
    const [someServices, someDevices] = [services, devices]
    services = new Set()
    devices = new Set()
    if (everything) all = false
    try {
      if (everything) {
        allAt = performance.now()
        await load('all')
      } else {
        if (someServices.size > 0) await load({ services: [...someServices] })
        if (someDevices.size > 0) await load({ devices: [...someDevices] })
      }
      up = true
    } catch (error) {
      if (up) log.error({ err: error }, 'services cannot be read, trying again')
      up = false
      if (everything) {
        all = true
        allAt = Number.NEGATIVE_INFINITY
      }
      for (const id of someServices) services.add(id)
      for (const id of someDevices) devices.add(id)
    }
  }

  return {
    ask(which) {
      if (!waits() && running === null) idle = Promise.withResolvers<void>()
      if (which === 'all') all = true
      else if ('services' in which) for (const id of which.services) services.add(id)
      else for (const id of which.devices) devices.add(id)
      if (timer !== null) clearTimeout(timer)
      timer = null
      soon(nextMs())
    },
    idle: () => idle.promise,
    async stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      await running?.catch(() => undefined)
      idle.resolve()
    },
  }
}
