import { bodyOf, cut, level, under } from '../format.ts'
import { httpKind, postJson } from '../kind.ts'

const MAX_MESSAGE = 1024
const MAX_TITLE = 250
const MAX_URL = 512
const PRIORITY = { ok: 0, warning: 0, critical: 1 } as const

export const pushover = httpKind({
  name: 'pushover',
  title: 'Pushover',
  about: 'Message API. Critical alerts are sent with priority 1, or 2 with `emergency`.',
  fields: {
    token: { type: 'text', required: true, secret: true, was: 'appkey', about: 'API token of the application.' },
    user: { type: 'text', required: true, secret: true, was: 'userkey', about: 'Key of the user or group.' },
    device: { type: 'text', about: 'Send only to this device of the user.' },
    sound: { type: 'text', about: 'Sound for problems.' },
    emergency: { type: 'bool', default: false, about: 'Repeat critical alerts until they are acknowledged.' },
    retry: { type: 'integer', default: 60, min: 30, max: 10_800, about: 'Seconds between repetitions with emergency.' },
    expire: { type: 'integer', default: 3600, min: 30, max: 10_800, about: 'Seconds after which repetitions end.' },
    options: { type: 'pairs', about: 'Additional parameters of the API, for example ttl=3600.' },
    url: { type: 'url', default: 'https://api.pushover.net', about: 'Server.' },
  },
  request(notification, { token, user, device, sound, emergency, retry, expire, options, url }) {
    const at = level(notification)
    const urgent = emergency && at === 'critical' && notification.kind !== 'ack' && notification.kind !== 'test'
    const body = {
      ...options,
      token,
      user,
      title: cut(notification.title, MAX_TITLE),
      message: cut(bodyOf(notification) || notification.title, MAX_MESSAGE),
      timestamp: Math.floor(notification.time / 1000),
      priority: urgent ? 2 : PRIORITY[at],
      ...(urgent ? { retry, expire } : {}),
      ...(device === '' ? {} : { device }),
      ...(sound === '' || at === 'ok' ? {} : { sound }),
      ...(notification.url === null || notification.url.length > MAX_URL ? {} : { url: notification.url }),
    }
    return postJson(under(url, '/1/messages.json'), body)
  },
})
