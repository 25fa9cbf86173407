import { alertKey, bodyOf, cut, deviceName, instant, level, under } from '../format.ts'
import { httpKind, postJson } from '../kind.ts'

const MAX_SUMMARY = 1024
const MAX_KEY = 255
/** An event has at most 512 KB. */
const MAX_TEXT = 20_000
const SERVERS = { US: 'https://events.pagerduty.com', EU: 'https://events.eu.pagerduty.com' } as const
const SEVERITY = { ok: 'info', warning: 'warning', critical: 'critical' } as const

/** Events API v2: an alert triggers an incident, which its acknowledgement and recovery acknowledge and resolve. */
export const pagerduty = httpKind({
  name: 'pagerduty',
  title: 'PagerDuty',
  about: 'Events API v2. Acknowledgements and recoveries acknowledge and resolve the incident of the alert.',
  fields: {
    routing_key: {
      type: 'text',
      required: true,
      secret: true,
      was: 'service_key',
      about: 'Integration key of the service.',
    },
    region: { type: 'choice', default: 'US', choices: ['US', 'EU'], about: 'Service region.' },
    dedup: {
      type: 'text',
      default: 'portlight',
      about: 'Prefix of incident keys. Use a different one for each Portlight installation.',
    },
    url: { type: 'url', was: 'custom-url', about: 'Server to use instead of that of the region.' },
  },
  request(notification, { routing_key, region, dedup, url }) {
    const { kind, title, rule, device, severity, time, alertId, key } = notification
    const custom = url === '' ? SERVERS[region] : url.replace(/\/v2\/enqueue\/?$/, '')
    const dedup_key = cut(alertKey(dedup, notification), MAX_KEY)
    const action = kind === 'recovery' ? 'resolve' : kind === 'ack' ? 'acknowledge' : 'trigger'
    const trigger = {
      payload: {
        summary: cut(title, MAX_SUMMARY),
        source: cut(deviceName(notification) || 'portlight', MAX_SUMMARY),
        severity: SEVERITY[level(notification)],
        timestamp: instant(time),
        component: cut(device.hostname, MAX_SUMMARY),
        class: cut(rule.name, MAX_SUMMARY),
        custom_details: {
          text: cut(bodyOf(notification), MAX_TEXT),
          severity,
          alert: alertId,
          location: device.location,
        },
      },
      client: 'Portlight',
      ...(notification.url === null ? {} : { client_url: notification.url }),
    }
    const body = { routing_key, event_action: action, dedup_key, ...(action === 'trigger' ? trigger : {}) }
    return postJson(under(custom, '/v2/enqueue'), body, { 'Idempotency-Key': key })
  },
})
