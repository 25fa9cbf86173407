import { alertKey, bodyOf, cut, deviceName, level } from '../format.ts'
import { answered, httpKind, postJson } from '../kind.ts'

const MAX_ID = 512
const MAX_NAME = 1024
const MAX_TEXT = 20_000
const TYPE = { ok: 'INFO', warning: 'WARNING', critical: 'CRITICAL' } as const

/** Generic REST endpoint: an alert opens an incident, which its acknowledgement and recovery acknowledge and resolve. */
export const splunkoncall = httpKind({
  name: 'splunkoncall',
  was: ['victorops'],
  title: 'Splunk On-Call',
  about: 'REST endpoint (formerly VictorOps). Acknowledgements and recoveries acknowledge and resolve the incident.',
  fields: {
    url: {
      type: 'url',
      required: true,
      secret: true,
      was: 'victorops-url',
      about: 'URL of the integration REST - Generic. $routing_key in it is replaced by the routing key.',
    },
    routing_key: {
      type: 'text',
      pattern: /^[\w.-]{1,100}$/,
      example: 'letters, digits, -, _ and .',
      about: 'Routing key, if it is not in the URL.',
    },
    entity: {
      type: 'text',
      default: 'portlight',
      about: 'Prefix of entity ids. Use a different one for each Portlight installation.',
    },
  },
  problems: ({ url, routing_key }) =>
    routing_key === '' && /\$routing_key|%24routing_key/.test(url) ? ['routing_key is missing'] : [],
  request(notification, { url, routing_key, entity }) {
    const { kind, title, rule, device, severity, time } = notification
    const type = kind === 'recovery' ? 'RECOVERY' : kind === 'ack' ? 'ACKNOWLEDGEMENT' : TYPE[level(notification)]
    const body = {
      message_type: type,
      entity_id: cut(alertKey(entity, notification), MAX_ID),
      entity_display_name: cut(title, MAX_NAME),
      state_message: cut(bodyOf(notification) || title, MAX_TEXT),
      state_start_time: Math.floor(time / 1000),
      monitoring_tool: 'Portlight',
      host_name: cut(deviceName(notification), MAX_NAME),
      device: cut(device.hostname, MAX_NAME),
      rule: cut(rule.name, MAX_NAME),
      severity,
      ...(notification.url === null ? {} : { 'vo_annotate.u.Portlight': notification.url }),
    }
    const target = url.replace(/(?:\$|%24)routing_key\/?$/, '')
    return postJson(routing_key === '' ? url : `${target.replace(/\/+$/, '')}/${routing_key}`, body)
  },
  /** A refusal has status 200. */
  judge(response) {
    if (response.status !== 200 || answered(response)?.['result'] !== 'failure') return null
    return { kind: 'refused', reason: 'the receiver refused the event (result: failure)' }
  },
})
