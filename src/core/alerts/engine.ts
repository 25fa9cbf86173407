import type { Settings } from '../../config/schema.ts'
import type { Log } from '../../observe/log.ts'
import type { Store } from '../database/client.ts'
import { listen } from '../database/listen.ts'
import type { EngineRule } from './engine-rule.ts'
import { createEvaluator, type EvaluatorLimits, type EvaluatorStats } from './evaluator.ts'
import { ALERT_CHANNEL } from './read-engine-rules.ts'
import type { Written } from './rule-triggers.ts'

export interface EngineDeps {
  readonly store: Store
  readonly settings: Settings
  readonly log: Log
  /** Called after notifications were stored. */
  readonly notified: () => void
  /** Epoch ms. Default: the clock. */
  readonly now?: () => number
  readonly limits?: EvaluatorLimits
}

export interface EngineStats extends EvaluatorStats {
  readonly rounds: number
  /** Duration of the last full round, seconds. */
  readonly lastRoundS: number
  /** Devices with writes that have not been evaluated yet. */
  readonly waiting: number
}

/** Decides when rules are evaluated, and evaluates them in sequential steps. */
export interface Engine {
  start(): void
  /** Reports what was written about devices: rules that read it are evaluated on them soon. */
  written(deviceIds: readonly number[], what: readonly Written[]): void
  /** Evaluates everything that is waiting and all rules on all devices; for tests and measurements. */
  round(): Promise<void>
  stop(): Promise<void>
  stats(): EngineStats
}

/** Writes within this time are evaluated together, ms. */
const GATHER_MS = 50
/** How often alerts with something due are looked up, ms. */
const TICK_MS = 1000
const TIMED_MS = 60_000
const RETRY_MS = 1000
/** How long a stop waits for the running step; what remains is evaluated after the next start. */
const STOP_MS = 1500
/** Rules of a round evaluated in one step; writes are evaluated between steps. */
const RULES_AT_ONCE = 20
/** A round pauses while more alerts than this have to change. */
const MAX_NOTED = 2000
/** Time for changed rules in one step, ms; writes are evaluated in between. */
const SINGLE_MS = 3000
/** A batch of more devices than this is evaluated on all devices. */
const MAX_BATCH = 2000

export function createEngine({ store, settings, log, notified, now = Date.now, limits }: EngineDeps): Engine {
  const evaluator = createEvaluator({ store, settings, log, now, notified, ...(limits !== undefined && { limits }) })
  let waiting = new Map<number, Set<Written>>()
  let round: EngineRule[] = []
  let roundBegan = 0
  /** Whether the running round covers all rules, not only the timed ones. */
  let complete = false
  /** Whether a round is running. */
  let inRound = false
  /** Whether noted alerts are left to change. */
  let more = false
  let roundAt = 0
  let timedAt = 0
  let stale = true
  let stopped = false
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  let ticker: ReturnType<typeof setInterval> | null = null
  let up = true
  const counts = { rounds: 0, lastRoundS: 0 }
  const single = new Set<number>()

  function soon(delayMs: number): void {
    if (!stopped && timer === null && running === null) timer = setTimeout(turn, delayMs)
  }

  function turn(): void {
    timer = null
    running = work()
      .then(() => {
        if (!up) log.info('alerts are evaluated again')
        up = true
      })
      .catch(async (error: unknown) => {
        if (up) log.error({ err: error }, 'alerts cannot be evaluated, trying again')
        up = false
        if (!stopped) await Bun.sleep(RETRY_MS)
      })
      .finally(() => {
        running = null
        if (waiting.size > 0 || round.length > 0 || single.size > 0 || more)
          soon(waiting.size > 0 && !more ? GATHER_MS : 0)
      })
  }

  /** One step: evaluates what was written and a part of the round, then changes some alerts. */
  async function work(): Promise<void> {
    if (stale) {
      stale = false
      await evaluator.load().catch((error: unknown) => {
        stale = true
        throw error
      })
    }
    await evaluateWritten()
    await evaluateSingle()
    evaluator.evaluateSlow()
    // noted alerts are changed first, so that a round does not accumulate them
    if (evaluator.stats().noted < MAX_NOTED) {
      await evaluator.noteDue()
      startRounds()
      const part = round.slice(0, RULES_AT_ONCE)
      for (const id of await evaluator.evaluate(part, null)) single.add(id)
      round = round.slice(part.length)
    }
    more = await evaluator.changeSome()
    if (inRound && round.length === 0 && !more) {
      inRound = false
      if (complete) counts.rounds++
      if (complete) counts.lastRoundS = (performance.now() - roundBegan) / 1000
    }
  }

  /** Evaluates rules that were changed, or for which there was no time before, within SINGLE_MS. */
  async function evaluateSingle(): Promise<void> {
    const until = performance.now() + SINGLE_MS
    for (const id of [...single]) {
      if (performance.now() > until) return
      // deleted first: the rule may be changed again while it is evaluated
      single.delete(id)
      const rule = evaluator.find(id)
      if (rule === null) continue
      const late = await evaluator.evaluate([rule], null).catch((error: unknown) => {
        single.add(id)
        throw error
      })
      for (const one of late) single.add(one)
    }
  }

  async function evaluateWritten(): Promise<void> {
    if (waiting.size === 0) return
    const batch = waiting
    waiting = new Map()
    try {
      const what = new Set([...batch.values()].flatMap((kinds) => [...kinds]))
      const ids = [...batch.keys()].toSorted((a, b) => a - b)
      const rules = evaluator.rulesFor(what)
      for (const id of await evaluator.evaluate(rules, ids.length > MAX_BATCH ? null : ids)) single.add(id)
    } catch (error) {
      for (const [id, kinds] of batch) note(id, kinds)
      throw error
    }
  }

  /** Changes all alerts that have to change, and those with something due. */
  async function settle(): Promise<void> {
    let moreDue = true
    while (moreDue) {
      moreDue = await evaluator.noteDue()
      while (await evaluator.changeSome());
    }
  }

  function note(deviceId: number, what: Iterable<Written>): void {
    const kinds = waiting.get(deviceId)
    if (kinds === undefined) waiting.set(deviceId, new Set(what))
    else for (const kind of what) kinds.add(kind)
  }

  function startRounds(): void {
    const at = now()
    if (at - roundAt >= settings.get('alert.round') * 1000 && !inRound) {
      roundAt = at
      timedAt = at
      roundBegan = performance.now()
      complete = true
      inRound = true
      round = [...evaluator.all()]
    } else if (at - timedAt >= TIMED_MS && !inRound) {
      timedAt = at
      roundBegan = performance.now()
      complete = false
      inRound = true
      round = [...evaluator.timed()]
    }
  }

  function changed(payload: string): void {
    const [, rule] = /^rule (\d+)$/.exec(payload) ?? []
    if (rule !== undefined) {
      stale = true
      evaluator.renewed(Number(rule))
      single.add(Number(rule))
    }
    soon(0)
  }

  let listening: { stop(): Promise<void> } | null = null

  return {
    start() {
      const connected = (): void => {
        stale = true
        // rules may have been stored while nothing listened
        roundAt = 0
        soon(0)
      }
      listening = listen(store, ALERT_CHANNEL, changed, connected, log)
      ticker = setInterval(() => soon(0), TICK_MS)
    },
    written(deviceIds, what) {
      if (stopped || what.length === 0) return
      for (const id of deviceIds) note(id, what)
      if (waiting.size > 0) soon(GATHER_MS)
    },
    async round() {
      while (running !== null) await running
      const began = performance.now()
      running = (async () => {
        await evaluator.load()
        stale = false
        await settle()
        await evaluateWritten()
        let late: readonly number[] = evaluator.all().map(({ id }) => id)
        while (late.length > 0) {
          late = await evaluator.evaluate(
            late.flatMap((id) => evaluator.find(id) ?? []),
            null,
          )
        }
        await settle()
      })()
      try {
        await running
      } finally {
        running = null
      }
      counts.rounds++
      counts.lastRoundS = (performance.now() - began) / 1000
    },
    async stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      if (ticker !== null) clearInterval(ticker)
      const left = Promise.all([running?.catch(() => undefined), evaluator.idle()])
      await Promise.all([listening?.stop(), Promise.race([left, Bun.sleep(STOP_MS)])])
    },
    stats: () => ({ ...evaluator.stats(), ...counts, waiting: waiting.size }),
  }
}
