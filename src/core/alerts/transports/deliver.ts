import type { Settings } from '../../../config/schema.ts'
import type { Log } from '../../../observe/log.ts'
import type { NoteExchange } from './exchange.ts'
import { again } from './kind.ts'
import { kindOf } from './kinds.ts'
import type { AlertNotification, Delivery, Transport } from './notification.ts'
import {
  type AddressLookup,
  networkReason,
  type PushSubscriptions,
  SendError,
  systemLookup,
  type TrapEngine,
} from './resolve.ts'

export interface DeliverDeps {
  readonly settings: Settings
  readonly log: Log
  /** Default: the system's resolver. */
  readonly lookup?: AddressLookup
  /** Default: v3 traps are refused. */
  readonly trapEngine?: TrapEngine
  /** Default: no browser is known. */
  readonly push?: PushSubscriptions
}

/** Sends a notification by a transport. Never throws; reasons contain no secrets. */
export type Deliver = (
  transport: Transport,
  notification: AlertNotification,
  signal: AbortSignal,
  /** Called with what is sent and what comes back. */
  note?: NoteExchange,
) => Promise<Delivery>

/** Delivers over the network. */
export function createDeliver({
  settings,
  log,
  lookup = systemLookup,
  trapEngine = noEngine,
  push = NO_BROWSERS,
}: DeliverDeps): Deliver {
  return async (transport, notification, signal, note) => {
    const kind = kindOf(transport.kind)
    if (kind === null) return { kind: 'refused', reason: `there is no kind of transport ${transport.kind}` }
    const limited = AbortSignal.any([signal, AbortSignal.timeout(kind.deadlineMs)])
    try {
      return await kind.send(notification, transport.settings, {
        settings,
        lookup,
        signal: limited,
        now: Date.now,
        trapEngine,
        push,
        note,
      })
    } catch (error) {
      if (error instanceof SendError && !error.retry)
        return { kind: 'refused', reason: error.message, ...(error.why !== null && { why: error.why }) }
      const reason = networkReason(error)
      // A bug, or a library that failed on the settings. The message is not logged because it may quote them.
      if (reason === 'no answer' && !limited.aborted)
        log.warn({ kind: kind.name, notification: notification.key, type: errorType(error) }, 'a transport failed')
      return again(limited.aborted ? 'no answer in time' : reason, null)
    }
  }
}

const noEngine: TrapEngine = () => Promise.reject(new SendError('v3 traps cannot be sent here', false))

const NO_BROWSERS: PushSubscriptions = {
  keys: () => Promise.reject(new SendError('browsers are not known here', false)),
  browsersOf: () => Promise.reject(new SendError('browsers are not known here', false)),
  wasSent: () => false,
  sent: () => Promise.resolve(),
  gone: () => Promise.resolve(),
}

const errorType = (error: unknown): string => (error instanceof Error ? error.name : typeof error)
