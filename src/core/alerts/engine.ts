import type { Settings } from '../../config/schema.ts'
import { clocksOf } from '../../lib/steady.ts'
import type { Log } from '../../observe/log.ts'
import type { Store } from '../database/client.ts'
import { listen } from '../database/listen.ts'
import { createRounds } from './engine-rounds.ts'
import { createWaiting } from './engine-waiting.ts'
import { createEvaluator, type Evaluator, type EvaluatorLimits, type EvaluatorStats } from './evaluator.ts'
import type { OnCall } from './operations/read-recipients.ts'
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
  /** By which transports those on call are reached. Default: nobody is on call. */
  readonly onCall?: OnCall | undefined
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
const RETRY_MS = 1000
/** How long a stop waits for the running step; what remains is evaluated after the next start. */
const STOP_MS = 1500
/** A round pauses while more alerts than this have to change. */
const MAX_NOTED = 2000

export function createEngine({ now: given, ...deps }: EngineDeps): Engine {
  const [{ store, settings, log }, { now, steady }] = [deps, clocksOf(given)]
  const evaluator = createEvaluator({ ...deps, now })
  const waiting = createWaiting(evaluator)
  const rounds = createRounds(evaluator, () => settings.get('alert.round') * 1000, steady)
  /** Whether noted alerts are left to change. */
  let more = false
  let stale = true
  let stopped = false
  let running: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  let ticker: ReturnType<typeof setInterval> | null = null
  let up = true

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
        if (waiting.devices() > 0 || rounds.left() > 0 || waiting.rules() > 0 || more)
          soon(waiting.devices() > 0 && !more ? GATHER_MS : 0)
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
    await waiting.evaluateWritten()
    await waiting.evaluateRules()
    evaluator.evaluateSlow()
    // noted alerts are changed first, so that a round does not accumulate them
    if (evaluator.stats().noted < MAX_NOTED) {
      await evaluator.noteDue()
      for (const id of await rounds.evaluateSome()) waiting.addRule(id)
    }
    more = await evaluator.changeSome()
    if (!more) rounds.endIfDone()
  }

  function changed(payload: string): void {
    const [, rule] = /^rule (\d+)$/.exec(payload) ?? []
    if (rule !== undefined) {
      stale = true
      evaluator.renewed(Number(rule))
      waiting.addRule(Number(rule))
    }
    soon(0)
  }

  let listening: { stop(): Promise<void> } | null = null

  return {
    start() {
      const connected = (): void => {
        stale = true
        // rules may have been stored while nothing listened
        rounds.hasten()
        soon(0)
      }
      listening = listen(store, ALERT_CHANNEL, changed, connected, log)
      ticker = setInterval(() => soon(0), TICK_MS)
    },
    written(deviceIds, what) {
      if (stopped || what.length === 0) return
      for (const id of deviceIds) waiting.note(id, what)
      if (waiting.devices() > 0) soon(GATHER_MS)
    },
    async round() {
      while (running !== null) await running
      const began = performance.now()
      running = (async () => {
        await evaluator.load()
        stale = false
        await settle(evaluator)
        await waiting.evaluateWritten()
        let late: readonly number[] = evaluator.all().map(({ id }) => id)
        while (late.length > 0) {
          late = await evaluator.evaluate(
            late.flatMap((id) => evaluator.find(id) ?? []),
            null,
          )
        }
        await settle(evaluator)
      })()
      try {
        await running
      } finally {
        running = null
      }
      rounds.note(performance.now() - began)
    },
    async stop() {
      stopped = true
      if (timer !== null) clearTimeout(timer)
      if (ticker !== null) clearInterval(ticker)
      const left = Promise.all([running?.catch(() => undefined), evaluator.idle()])
      await Promise.all([listening?.stop(), Promise.race([left, Bun.sleep(STOP_MS)])])
    },
    stats: () => ({ ...evaluator.stats(), ...rounds.stats(), waiting: waiting.devices() }),
  }
}

/** Changes all alerts that have to change, and those with something due. */
async function settle(evaluator: Evaluator): Promise<void> {
  let moreDue = true
  while (moreDue) {
    moreDue = await evaluator.noteDue()
    while (await evaluator.changeSome());
  }
}
