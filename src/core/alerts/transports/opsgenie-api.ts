import { alertKey, bodyOf, cut, deviceName, level, under } from './format.ts'
import type { HttpRequest } from './http.ts'
import { postJson } from './kind.ts'
import type { AlertNotification } from './notification.ts'

const MAX_MESSAGE = 130
const MAX_ALIAS = 512
const MAX_DESCRIPTION = 15_000
const MAX_NOTE = 25_000
const MAX_TAG = 50
const MAX_TAGS = 20
const SOURCE = 'Portlight'
const PRIORITY = { ok: 'P5', warning: 'P3', critical: 'P1' } as const

/** Where alerts of Opsgenie's form go. */
export interface OpsgenieTarget {
  /** URL of the alerts, for example `https://api.opsgenie.com/v2/alerts`. */
  readonly alerts: string
  readonly key: string
  /** Prefix of aliases. */
  readonly alias: string
  readonly tags: readonly string[]
}

/**
 * A request to the Alert API v2 of Opsgenie, which Jira Service Management has taken over as its integration events:
 * each alert of ours is one alert there, identified by its alias.
 */
export function opsgenieRequest(
  notification: AlertNotification,
  { alerts, key, alias: prefix, tags }: OpsgenieTarget,
): HttpRequest {
  const { kind, title, device, rule, severity, alertId } = notification
  const headers = { Authorization: `GenieKey ${key}` }
  const alias = cut(alertKey(prefix, notification), MAX_ALIAS)
  const action = kind === 'recovery' ? 'close' : kind === 'ack' ? 'acknowledge' : null
  if (action !== null) {
    const path = `/${encodeURIComponent(alias)}/${action}?identifierType=alias`
    const note = cut(bodyOf(notification) || title, MAX_NOTE)
    return postJson(under(alerts, path), { source: SOURCE, note }, headers)
  }
  const body = {
    message: cut(title, MAX_MESSAGE),
    alias,
    description: cut(bodyOf(notification), MAX_DESCRIPTION),
    entity: cut(deviceName(notification), MAX_ALIAS),
    source: SOURCE,
    priority: PRIORITY[level(notification)],
    tags: tags.slice(0, MAX_TAGS).map((tag) => cut(tag, MAX_TAG)),
    details: {
      alert: String(alertId),
      device: cut(device.hostname, MAX_ALIAS),
      rule: cut(rule.name, MAX_ALIAS),
      severity,
      ...(notification.url === null ? {} : { url: notification.url }),
    },
  }
  return postJson(alerts, body, headers)
}

/** The key in the query of a URL that LibreNMS stores, and its host; null if it has none. */
export function keyOfUrl(url: unknown): { readonly key: string; readonly host: string } | null {
  const parsed = typeof url === 'string' ? URL.parse(url) : null
  const key = parsed?.searchParams.get('apiKey') ?? null
  return parsed === null || key === null ? null : { key, host: parsed.hostname }
}
