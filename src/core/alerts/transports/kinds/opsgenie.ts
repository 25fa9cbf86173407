import { alertKey, bodyOf, cut, deviceName, level, under } from '../format.ts'
import { httpKind, postJson } from '../kind.ts'

const MAX_MESSAGE = 130
const MAX_ALIAS = 512
const MAX_DESCRIPTION = 15_000
const MAX_SOURCE = 100
const MAX_NOTE = 25_000
const MAX_TAG = 50
const SERVERS = { US: 'https://api.opsgenie.com', EU: 'https://api.eu.opsgenie.com' } as const
const PRIORITY = { ok: 'P5', warning: 'P3', critical: 'P1' } as const

/** Alert API v2: each alert of ours is one alert there, identified by its alias. */
export const opsgenie = httpKind({
  name: 'opsgenie',
  title: 'Opsgenie',
  about: 'Alert API v2. Acknowledgements and recoveries acknowledge and close the alert.',
  fields: {
    key: { type: 'text', required: true, secret: true, about: 'Key of an API integration.' },
    region: { type: 'choice', default: 'US', choices: ['US', 'EU'], about: 'Service region.' },
    alias: {
      type: 'text',
      default: 'portlight',
      about: 'Prefix of aliases. Use a different one for each Portlight installation.',
    },
    tags: { type: 'list', about: 'Tags of alerts.' },
    url: { type: 'url', about: 'Server to use instead of that of the region.' },
  },
  /** LibreNMS stores a URL with the key in its query. */
  adapt({ 'genie-url': old, ...settings }) {
    const url = typeof old === 'string' ? URL.parse(old) : null
    const key = url?.searchParams.get('apiKey')
    if (url === null || key === null || key === undefined) return settings
    return { key, region: url.hostname.startsWith('api.eu.') ? 'EU' : 'US', ...settings }
  },
  request(notification, { key, region, alias: prefix, tags, url }) {
    const { kind, title, device, rule, severity, alertId } = notification
    const server = url === '' ? SERVERS[region] : url
    const headers = { Authorization: `GenieKey ${key}` }
    const alias = cut(alertKey(prefix, notification), MAX_ALIAS)
    const source = 'Portlight'
    const action = kind === 'recovery' ? 'close' : kind === 'ack' ? 'acknowledge' : null
    if (action !== null) {
      const path = `/v2/alerts/${encodeURIComponent(alias)}/${action}?identifierType=alias`
      return postJson(under(server, path), { source, note: cut(bodyOf(notification) || title, MAX_NOTE) }, headers)
    }
    const body = {
      message: cut(title, MAX_MESSAGE),
      alias,
      description: cut(bodyOf(notification), MAX_DESCRIPTION),
      entity: cut(deviceName(notification), MAX_ALIAS),
      source: cut(source, MAX_SOURCE),
      priority: PRIORITY[level(notification)],
      tags: tags.slice(0, 20).map((tag) => cut(tag, MAX_TAG)),
      details: {
        alert: String(alertId),
        device: cut(device.hostname, MAX_ALIAS),
        rule: cut(rule.name, MAX_ALIAS),
        severity,
      },
    }
    return postJson(under(server, '/v2/alerts'), body, headers)
  },
})
