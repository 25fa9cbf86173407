import { bodyOf, cut, cutBody, level } from '../transports/format.ts'
import type { AlertNotification } from '../transports/notification.ts'

/** What the service worker of the pages gets (`src/web/islands/push-worker.ts`). */
export interface PushMessage {
  readonly title: string
  readonly body: string
  /** Notifications with the same tag replace each other, so that a recovery takes the place of its problem. */
  readonly tag: string
  /** Page to open, without scheme and host, because the browser may know the server by another name. */
  readonly path: string
  readonly level: 'ok' | 'warning' | 'critical'
  /** Epoch ms of the change. */
  readonly time: number
}

const MAX_TITLE = 200
const MAX_TEXT = 1000
/** A push service accepts 4096 octets of encrypted text (RFC 8030 §7.2), of which 3992 are left for the message. */
const MAX_OCTETS = 3900

/** The message of a notification as JSON. */
export function pushMessage(notification: AlertNotification): string {
  const { title, kind, key, alertId, time } = notification
  const isTest = kind === 'test'
  const text = bodyOf(notification).trim()
  return cutBody(
    Math.min(MAX_TEXT, Math.max(1, text.length)),
    MAX_OCTETS,
    (length): PushMessage => ({
      title: cut(title.trim() || 'Portlight', MAX_TITLE),
      body: cut(text, length),
      tag: isTest ? `test-${key}` : `alert-${alertId}`,
      path: isTest ? '/account' : `/alerts/${alertId}`,
      level: level(notification),
      time,
    }),
  )
}
