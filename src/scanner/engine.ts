import { addressOctets } from '@portlight/addresses/networks.ts'
import { createLimiter } from '@portlight/limit/limit.ts'
import { KeyCache } from '@portlight/snmp/usm/key.ts'
import { portFinder } from '../core/scans/network-options.ts'
import { isSilent } from '../core/scans/scan.ts'
import { isAllowed } from './allowed.ts'
import { askHost, type Job } from './ask-host.ts'
import { type Echoes, openEchoes } from './echoes.ts'
import { createPacer } from './pacer.ts'
import type { FromScanner, JobOptions } from './protocol.ts'
import { openRequests } from './requests.ts'
import { Refusals, WorkedBefore } from './trials.ts'

/** Hosts asked at the same time, all jobs together. */
const MAX_ASKED = 4000
/** Milliseconds for which results are collected into one message. */
const GATHER_MS = 50

type Results = Extract<FromScanner, { kind: 'hosts' }>

/** Asks hosts; runs in a thread of its own. */
export interface Engine {
  begin(job: number, options: JobOptions): void
  hosts(job: number, ids: readonly number[], addresses: readonly string[]): void
  /** Ends a job: nothing more is sent or reported for it. */
  end(job: number): void
  close(): void
}

/** Opens the sockets. Throws SnmpError `unsupported` if none can be opened. `report` gets the results. */
export async function openEngine(report: (results: Results) => void): Promise<Engine> {
  const requests = await openRequests()
  const echoes: Echoes = openEchoes()
  const pacer = createPacer()
  const keys = new KeyCache()
  const inTurn = createLimiter(MAX_ASKED)
  const jobs = new Map<number, { readonly shared: Job; readonly leave: () => void; results: Gathered }>()
  let timer: ReturnType<typeof setTimeout> | null = null

  function flush(): void {
    timer = null
    for (const [job, entry] of jobs) {
      const { results } = entry
      if (results.answered.length + results.silent.length + results.outside.length === 0) continue
      entry.results = gathered()
      report({ kind: 'hosts', job, ...results })
    }
  }

  async function ask(job: number, id: number, address: string): Promise<void> {
    const entry = jobs.get(job)
    if (entry === undefined) return
    const octets = addressOctets(address)
    if (octets === null || !isAllowed(entry.shared.options, octets)) entry.results.outside.push(id)
    else {
      const answer = await askHost(entry.shared, address, octets)
      if (isSilent(answer)) entry.results.silent.push(id)
      else entry.results.answered.push({ id, ...answer })
    }
    timer ??= setTimeout(flush, GATHER_MS)
  }

  return {
    begin(job, options) {
      const pace = pacer.add(options.rate)
      const portOf = portFinder(options)
      const shared: Job = {
        ...{ options, echoes, requests, keys, worked: new WorkedBefore(), refusals: new Refusals() },
        portAt: (octets) => portOf({ octets, bits: octets.length * 8 }),
        // checked again where a datagram is sent, whatever the planning did
        turn: async (octets) => isAllowed(options, octets) && (await pace.turn()),
      }
      jobs.set(job, { shared, leave: () => pace.end(), results: gathered() })
    },
    hosts(job, ids, addresses) {
      for (const [i, id] of ids.entries()) void inTurn(() => ask(job, id, addresses[i] ?? ''))
    },
    end(job) {
      jobs.get(job)?.leave()
      jobs.delete(job)
    },
    close() {
      for (const { leave } of jobs.values()) leave()
      jobs.clear()
      if (timer !== null) clearTimeout(timer)
      requests.close()
      echoes.close()
    },
  }
}

interface Gathered {
  readonly answered: Results['answered'][number][]
  readonly silent: number[]
  readonly outside: number[]
}

const gathered = (): Gathered => ({ answered: [], silent: [], outside: [] })
