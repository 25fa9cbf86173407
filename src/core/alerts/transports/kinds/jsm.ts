import { under } from '../format.ts'
import { httpKind } from '../kind.ts'
import { keyOfUrl, opsgenieRequest } from '../opsgenie-api.ts'

/** Integration events of Jira Service Management's operations, which took the place of Opsgenie's Alert API. */
export const jsm = httpKind({
  name: 'jsm',
  was: ['jiraservicemanagement'],
  title: 'Jira Service Management',
  about:
    'Integration events of its operations (the successor of Opsgenie). Acknowledgements and recoveries acknowledge and close the alert.',
  fields: {
    key: {
      type: 'text',
      required: true,
      secret: true,
      about: 'API key of an integration of type API; an API token of a person does not work.',
    },
    alias: {
      type: 'text',
      default: 'portlight',
      about: 'Prefix of aliases. Use a different one for each Portlight installation.',
    },
    tags: { type: 'list', about: 'Tags of alerts.' },
    url: { type: 'url', default: 'https://api.atlassian.com', about: 'Server.' },
  },
  /** LibreNMS stores a URL with the key in its query. */
  adapt(settings) {
    const found = Object.values(settings).flatMap((value) => keyOfUrl(value) ?? [])
    return found[0] === undefined ? settings : { key: found[0].key, ...settings, url: '' }
  },
  request: (notification, { key, alias, tags, url }) =>
    opsgenieRequest(notification, { alerts: under(url, '/jsm/ops/integration/v2/alerts'), key, alias, tags }),
})
