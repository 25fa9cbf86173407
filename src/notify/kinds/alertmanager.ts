import { httpKind, postJson } from '../kind.ts'
import { basicAuth, bodyOf, cut, deviceName, instant, under } from '../words.ts'

const MAX_TEXT = 10_000
const MAX_LABEL = 500
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Labels of the data model of Prometheus. */
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/**
 * API v2 (`postAlerts`). Alertmanager knows an alert by its labels, and ends it at `endsAt`: the recovery's time, or, as
 * problems are not sent again and again, some hours ahead.
 */
export const alertmanager = httpKind({
  name: 'alertmanager',
  title: 'Alertmanager',
  about: 'API v2. An alert ends with its recovery, or when `hours` have passed since its last notification.',
  fields: {
    url: { type: 'url', required: true, about: 'Server.' },
    username: { type: 'text', was: 'alertmanager-username', about: 'User of basic authentication.' },
    password: { type: 'text', secret: true, was: 'alertmanager-password', about: 'Password of this user.' },
    labels: { type: 'pairs', was: 'alertmanager-options', about: 'More labels, for example team=network.' },
    hours: { type: 'integer', default: 168, min: 1, max: 8760, about: 'Hours until an alert ends by itself.' },
  },
  /** LibreNMS allows several servers, separated by commas; they tell each other. */
  adapt({ 'alertmanager-url': old, ...settings }) {
    return typeof old === 'string' ? { url: old.split(',')[0]?.trim() ?? '', ...settings } : settings
  },
  problems({ labels }) {
    const wrong = Object.keys(labels).filter((name) => !LABEL.test(name))
    return wrong.length > 0 ? ['labels: names consist of letters, digits and _'] : []
  },
  request(notification, { url, username, password, labels, hours }, { now }) {
    const { kind, title, device, rule, severity, alertId, time } = notification
    const end = kind === 'recovery' ? time : kind === 'test' ? time + MINUTE_MS : Math.max(time, now) + hours * HOUR_MS
    const alert = {
      // the same in every notification of the alert; labels that are empty count as absent
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
