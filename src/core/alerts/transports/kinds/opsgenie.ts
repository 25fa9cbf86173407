import { under } from '../format.ts'
import { httpKind } from '../kind.ts'
import { keyOfUrl, opsgenieRequest } from '../opsgenie-api.ts'

const SERVERS = { US: 'https://api.opsgenie.com', EU: 'https://api.eu.opsgenie.com' } as const

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
    const found = keyOfUrl(old)
    if (found === null) return settings
    return { key: found.key, region: found.host.startsWith('api.eu.') ? 'EU' : 'US', ...settings }
  },
  request: (notification, { key, region, alias, tags, url }) =>
    opsgenieRequest(notification, {
      alerts: under(url === '' ? SERVERS[region] : url, '/v2/alerts'),
      key,
      alias,
      tags,
    }),
})
