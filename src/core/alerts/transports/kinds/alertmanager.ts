import { basicAuth, bodyOf, cut, deviceName, instant, under } from '../format.ts'
import { httpKind, postJson } from '../kind.ts'

const MAX_TEXT = 10_000
const MAX_LABEL = 500
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Label names in the Prometheus data model. */
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/**
 * API v2 (`postAlerts`). Alertmanager identifies an alert by its labels and ends it at `endsAt`: the time of the
 * recovery, or else some hours ahead, because problems are not sent repeatedly.
 */
export const alertmanager = httpKind({
  name: 'alertmanager',
  title: 'Alertmanager',
  about: 'API v2. An alert ends with its recovery, or `hours` after its last notification.',
  fields: {
    url: { type: 'url', required: true, about: 'URL of the server.' },
    username: { type: 'text', was: 'alertmanager-username', about: 'User name for basic authentication.' },
    password: { type: 'text', secret: true, was: 'alertmanager-password', about: 'Password of this user.' },
    labels: { type: 'pairs', was: 'alertmanager-options', about: 'Additional labels, for example team=network.' },
    hours: { type: 'integer', default: 168, min: 1, max: 8760, about: 'Hours after which an alert ends on its own.' },
  },
  /** LibreNMS allows several comma-separated servers. One is enough, because the members of a cluster share alerts. */
  adapt({ 'alertmanager-url': old, ...settings }) {
    return typeof old === 'string' ? { url: old.split(',')[0]?.trim() ?? '', ...settings } : settings
  },
  problems({ labels }) {
    const wrong = Object.keys(labels).filter((name) => !LABEL.test(name))
    return wrong.length > 0 ? ['labels: names must consist of letters, digits and _, and not begin with a digit'] : []
  },
  request(notification, { url, username, password, labels, hours }, { now }) {
    const { kind, title, device, rule, severity, alertId, time } = notification
    const end = kind === 'recovery' ? time : kind === 'test' ? time + MINUTE_MS : Math.max(time, now) + hours * HOUR_MS
    const alert = {
      // the same in every notification of the alert; empty labels count as absent
      labels: {
        ...labels,
        alertname: cut(rule.name, MAX_LABEL) || 'Portlight',
        instance: cut(device.hostname, MAX_LABEL) || 'portlight',
        severity,
        portlight_alert: String(alertId),
      },
      annotations: {
        summary: cut(title, MAX_TEXT),
        description: cut(bodyOf(notification), MAX_TEXT),
        device: cut(deviceName(notification), MAX_LABEL),
        ...(device.location === null ? {} : { location: device.location }),
      },
      ...(kind === 'recovery' ? {} : { startsAt: instant(time) }),
      endsAt: instant(end),
      ...(notification.url === null ? {} : { generatorURL: notification.url }),
    }
    return postJson(
      under(url.replace(/\/api\/v2\/alerts\/?$/, ''), '/api/v2/alerts'),
      [alert],
      basicAuth(username, password),
    )
  },
})
