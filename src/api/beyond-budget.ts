import { BeyondBudget } from '../core/base/graphs.ts'
import type { Log } from '../observe/log.ts'
import { rawPath } from './path.ts'

/** Logs a request for a graph that was beyond its budget; its query may hold secrets. */
export function logBeyondBudget(error: unknown, request: Request, log: Log): void {
  if (!(error instanceof BeyondBudget)) return
  const { method, url } = request
  log.warn({ method, path: rawPath(url), reason: error.message }, 'request for a graph refused')
}
