import type { Log } from '../../../observe/log.ts'
import type { CheckedState, ServiceEvent } from '../write-results.ts'
import type { ServiceReading } from '../write-samples.ts'

/** What is stored for one check. */
export interface CheckRecord {
  readonly state: CheckedState
  readonly event: ServiceEvent | null
  /** Null if the check measured nothing. */
  readonly reading: ServiceReading | null
}

export interface ResultQueueOptions {
  readonly writeStates: (states: readonly CheckedState[], events: readonly ServiceEvent[]) => Promise<void>
  readonly writeReadings: (readings: readonly ServiceReading[]) => Promise<void>
  readonly retryable: (error: unknown) => boolean
  readonly log: Log
  /** Maximum number of values kept while the database is unavailable; beyond that the oldest are dropped. */
  readonly bufferValues: number
  /** How long the first result waits for more, ms. */
  readonly delayMs?: number
  readonly retryMs?: number
}

export interface ResultQueueStats {
  /** Values stored. */
  readonly written: number
  readonly waiting: number
  readonly dropped: number
  readonly refused: number
  readonly up: boolean
}

/**
 * Queue between checks and database. It keeps the newest state of each service, changes for the event log, and measured
 * values. While the database is unavailable no state is lost, and values are dropped only beyond `bufferValues`.
 */
export interface ResultQueue {
  add(record: CheckRecord): void
  /** Resolves when everything added before is stored or given up. */
  flush(): Promise<void>
  /** Makes a last try to write everything, for at most `graceMs`. */
  stop(graceMs: number): Promise<void>
  stats(): ResultQueueStats
}

const READINGS_AT_ONCE = 500
const STATES_AT_ONCE = 2000
const MAX_EVENTS = 10_000

function isState(row: CheckedState | ServiceEvent): row is CheckedState {
  return 'tookMs' in row
}

export function createResultQueue(o: ResultQueueOptions): ResultQueue {
  let states = new Map<number, CheckedState>()
  let events: ServiceEvent[] = []
  const readings = createReadings(o.bufferValues, o.log)
  const counts = { written: 0, refused: 0 }
  let up = true
  let stopping = false
  let timer: ReturnType<typeof setTimeout> | null = null
  let running: Promise<void> | null = null

  function soon(delayMs: number): void {
    if (timer === null && running === null && !stopping) timer = setTimeout(() => void work(), delayMs)
  }

  function work(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    running ??= drain().finally(() => {
      running = null
      if (states.size > 0 || !readings.isEmpty()) soon(up ? 0 : (o.retryMs ?? 1000))
    })
    return running
  }

  async function drain(): Promise<void> {
    while (states.size > 0 || events.length > 0) if (!(await writeStates())) return
    while (!readings.isEmpty()) if (!(await writeReadings())) return
    if (!up) o.log.info('the database is available again, writing results of checks')
    up = true
  }

  /**
   * False: the database is unavailable, try later. A refused batch is retried row by row; rows refused again are lost.
   */
  async function attempt<T>(rows: readonly T[], write: (rows: readonly T[]) => Promise<void>): Promise<boolean> {
    try {
      await write(rows)
    } catch (error) {
      if (!o.retryable(error)) {
        if (rows.length > 1) {
          for (const row of rows) if (!(await attempt([row], write))) return false
          return true
        }
        counts.refused += rows.length
        o.log.error({ err: error }, 'the database refused the result of a check')
        return true
      }
      if (up) o.log.error({ err: error }, 'the database is unavailable, keeping results of checks in memory')
      up = false
      return false
    }
    return true
  }

  async function writeStates(): Promise<boolean> {
    const part: (CheckedState | ServiceEvent)[] = [...[...states.values()].slice(0, STATES_AT_ONCE), ...events]
    for (const row of part) if (isState(row)) states.delete(row.serviceId)
    events = []
    const write = (rows: readonly (CheckedState | ServiceEvent)[]) =>
      o.writeStates(
        rows.filter(isState),
        rows.flatMap((row) => (isState(row) ? [] : [row])),
      )
    if (await attempt(part, write)) return true
    // newer states may have been added meanwhile
    const newer = states
    states = new Map(part.filter(isState).map((state) => [state.serviceId, state]))
    for (const [id, state] of newer) states.set(id, state)
    events = [...part.flatMap((row) => (isState(row) ? [] : [row])), ...events]
    return false
  }

  async function writeReadings(): Promise<boolean> {
    const part = readings.next()
    const rows = valuesIn(part)
    const refused = counts.refused
    if (!(await attempt(part, o.writeReadings))) return false
    readings.remove(part)
    if (counts.refused === refused) counts.written += rows
    return true
  }

  return {
    add({ state, event, reading }) {
      states.set(state.serviceId, state)
      if (event !== null) events.push(event)
      if (events.length > MAX_EVENTS) events.splice(0, events.length - MAX_EVENTS)
      if (reading !== null) readings.add(reading)
      soon(o.delayMs ?? 250)
    },
    async flush() {
      if (running !== null) await running
      await work()
    },
    async stop(graceMs) {
      stopping = true
      if (timer !== null) clearTimeout(timer)
      timer = null
      const last = (running ?? Promise.resolve()).then(() => work())
      await Promise.race([last, Bun.sleep(graceMs)])
      const values = readings.giveUp()
      if (values > 0 || states.size > 0) {
        o.log.error({ values, states: states.size }, 'stopping with results of checks that could not be written')
      }
    },
    stats: () => ({ ...counts, ...readings.stats(), up }),
  }
}

const valuesIn = (readings: readonly ServiceReading[]): number =>
  readings.reduce((sum, { values }) => sum + Object.keys(values).length, 0)

/** Measured values that wait to be written; beyond `most` values the oldest readings are dropped. */
function createReadings(most: number, log: Log) {
  const readings: ServiceReading[] = []
  let waiting = 0
  let dropped = 0

  return {
    isEmpty: () => readings.length === 0,
    add(reading: ServiceReading): void {
      readings.push(reading)
      waiting += valuesIn([reading])
      let lost = 0
      while (waiting - lost > most && readings.length > 1) lost += valuesIn(readings.splice(0, 1))
      if (lost > 0 && dropped === 0) log.error('the buffer for values of checks is full, dropping the oldest')
      waiting -= lost
      dropped += lost
    },
    /** The oldest, for one statement. */
    next: () => readings.slice(0, READINGS_AT_ONCE),
    /** Removes those that were written, as far as they were not dropped during the write. */
    remove(part: readonly ServiceReading[]): void {
      waiting -= valuesIn(part.filter((reading) => readings[0] === reading && readings.shift() !== undefined))
    },
    /** Counts what is left as dropped, and returns the number of values. */
    giveUp(): number {
      dropped += waiting
      return waiting
    },
    stats: () => ({ waiting, dropped }),
  }
}
