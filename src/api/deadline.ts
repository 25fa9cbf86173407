import { DomainError } from '../core/base/errors.ts'

/** How long requests may take until their answer begins, ms. */
export interface Deadlines {
  /** `GET /api/v1/health`, which others ask to find out whether the service works. */
  readonly health: number
  /** Requests that change nothing. */
  readonly read: number
  /** All others. Below the time after which the server closes a connection without traffic. */
  readonly change: number
  /**
   * With this many requests whose deadline has passed and whose work has not ended, further ones are refused at once:
   * the database does not answer, and they would only wait behind the others.
   */
  readonly maxAbandoned: number
}

export const DEADLINES: Deadlines = { health: 2000, read: 20_000, change: 100_000, maxAbandoned: 100 }

const HEALTH = '/api/v1/health'
/** Files of the pages, which need no database. */
const ASSETS = '/assets/'

/** The error of a request that was not answered in time. */
export function tooLate(request: Request, afterMs: number): DomainError {
  const waited = afterMs === 0 ? 'Requests before this one are not answered' : `No answer within ${afterMs / 1000} s`
  const changed = isRead(request) || afterMs === 0 ? '' : ' The change may still be made: check before repeating it.'
  return new DomainError('unavailable', `${waited}; the database may be overloaded or hang.${changed}`)
}

/** Answers with `late` when the work of a request takes too long. */
export type WithinDeadline = (
  request: Request,
  path: string,
  work: () => Response | Promise<Response>,
  late: (error: DomainError) => Response | Promise<Response>,
) => Response | Promise<Response>

/** A request whose answer is awaited. */
interface Awaited {
  readonly dueMs: number
  expire(): void
}

/** Requests with the same time to answer, in the order in which they began, which is that in which they come due. */
function createQueue(ms: number) {
  const awaited = new Set<Awaited>()
  let isTimed = false
  const wait = (afterMs: number): void => {
    isTimed = true
    setTimeout(expire, afterMs).unref()
  }
  const expire = (): void => {
    isTimed = false
    const nowMs = performance.now()
    for (const request of awaited) {
      if (request.dueMs > nowMs) {
        wait(Math.ceil(request.dueMs - nowMs))
        return
      }
      awaited.delete(request)
      request.expire()
    }
  }
  return {
    ms,
    add(late: () => void): Awaited {
      const request = { dueMs: performance.now() + ms, expire: late }
      awaited.add(request)
      // a timer for the oldest suffices, and thousands of requests a second then set none
      if (!isTimed) wait(ms)
      return request
    },
    answered: (request: Awaited) => void awaited.delete(request),
  }
}

/** `passed` is called when a deadline has passed. */
export function createDeadlines(deadlines: Deadlines, passed: (request: Request, ms: number) => void): WithinDeadline {
  let abandoned = 0
  const health = createQueue(deadlines.health)
  const reads = createQueue(deadlines.read)
  const changes = createQueue(deadlines.change)

  return (request, path, work, late) => {
    if (abandoned >= deadlines.maxAbandoned && !path.startsWith(ASSETS)) return late(tooLate(request, 0))
    const answer = work()
    if (!(answer instanceof Promise)) return answer
    const queue = path === HEALTH ? health : isRead(request) ? reads : changes
    return new Promise<Response>((resolve, reject) => {
      let over = false
      const awaited = queue.add(() => {
        over = true
        abandoned++
        passed(request, queue.ms)
        resolve(late(tooLate(request, queue.ms)))
      })
      answer.then(
        (response) => {
          queue.answered(awaited)
          if (!over) return resolve(response)
          abandoned--
          // nobody reads it; a list must not stay open in the database
          response.body?.cancel().catch(() => undefined)
        },
        (error: unknown) => {
          queue.answered(awaited)
          if (over) abandoned--
          else reject(error)
        },
      )
    })
  }
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}
