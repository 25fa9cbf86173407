import type { Settings } from '../config/schema.ts'
import type { Clock } from './clock.ts'
import type { Schedules } from './devices/schedules.ts'
import type { Discoveries } from './runs/discoveries.ts'
import type { DiscoveryResults } from './runs/discovery-results.ts'
import type { EchoRounds } from './runs/echo-rounds.ts'
import type { Polls } from './runs/polls.ts'

/** Starts what is due, as far as there are free slots. */
export interface Ticker {
  start(): void
  stop(): void
  /** Starts what is due now. */
  tick(): void
  /** True between `start` and `stop`, if the schedule was processed recently. */
  isRunning(): boolean
}

export interface TickerParts {
  readonly settings: Settings
  readonly clock: Clock
  /** Maximum number of workers. */
  readonly workers: number
  readonly schedules: Schedules
  readonly polls: Polls
  readonly discoveries: Discoveries
  readonly discoveryResults: DiscoveryResults
  readonly echo: EchoRounds
}

const TICK_MS = 50
/** A schedule not processed for this long counts as stopped, ms. */
const TICK_LATE_MS = 5000

export function createTicker(parts: TickerParts): Ticker {
  const { settings, clock, workers, schedules, polls, discoveries, discoveryResults, echo } = parts
  let timer: ReturnType<typeof setInterval> | null = null
  let tickedAt = clock.steady()
  let filling = false

  function tick(): void {
    const now = clock.steady()
    const slots = settings.get('poller.concurrency') * workers
    const running = schedules.polls.running + schedules.discoveries.running
    for (const id of schedules.polls.take(now, slots - running)) polls.due(id, freed)
    const room = Math.max(2, Math.ceil(slots / 8)) - schedules.discoveries.running
    if (!discoveryResults.isBehind()) for (const id of schedules.discoveries.take(now, room)) discoveries.due(id)
    echo.tick(now)
    tickedAt = clock.steady()
  }

  /** Called when a poll ended, so that others that are due need not wait for the next tick. */
  function freed(): void {
    if (filling || (schedules.polls.next() ?? Number.POSITIVE_INFINITY) > clock.steady()) return
    filling = true
    setImmediate(() => {
      filling = false
      if (timer !== null) tick()
    })
  }

  return {
    start() {
      tickedAt = clock.steady()
      timer = setInterval(tick, TICK_MS)
    },
    stop() {
      if (timer !== null) clearInterval(timer)
      timer = null
    },
    tick,
    isRunning: () => timer !== null && clock.steady() - tickedAt < TICK_LATE_MS,
  }
}
