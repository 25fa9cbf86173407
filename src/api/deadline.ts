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

/** `passed` is called when a deadline has passed. */
export function createDeadlines(deadlines: Deadlines, passed: (request: Request, ms: number) => void): WithinDeadline {
  let abandoned = 0

  return (request, path, work, late) => {
    if (abandoned >= deadlines.maxAbandoned && !path.startsWith(ASSETS)) return late(tooLate(request, 0))
    const answer = work()
    if (!(answer instanceof Promise)) return answer
    const ms = path === HEALTH ? deadlines.health : isRead(request) ? deadlines.read : deadlines.change
    return new Promise<Response>((resolve, reject) => {
      let over = false
      const timer = setTimeout(() => {
        over = true
        abandoned++
        passed(request, ms)
        resolve(late(tooLate(request, ms)))
      }, ms)
      answer.then(
        (response) => {
          clearTimeout(timer)
          if (!over) return resolve(response)
          abandoned--
          // nobody reads it; a list must not stay open in the database
          response.body?.cancel().catch(() => undefined)
        },
        (error: unknown) => {
          clearTimeout(timer)
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
