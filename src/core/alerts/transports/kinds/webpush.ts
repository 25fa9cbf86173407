import { buildPushPayload } from '@block65/webcrypto-web-push'
import { slices } from '../../../../lib/slices.ts'
import { pushMessage } from '../../push/message.ts'
import { level } from '../format.ts'
import { type HttpRequest, sendHttp } from '../http.ts'
import { again, judged, kind } from '../kind.ts'
import type { AlertNotification, Delivery } from '../notification.ts'
import { type DeliveryDeps, type PushTarget, SendError } from '../resolve.ts'

/** Requests at a time. */
const AT_ONCE = 8
/** Browsers that a notification is sent to at most. */
const MAX_BROWSERS = 500
const URGENCY = { ok: 'normal', warning: 'normal', critical: 'high' } as const

/** Web Push (RFC 8030) with encrypted messages (RFC 8291) and VAPID (RFC 8292). */
export const webpush = kind({
  name: 'webpush',
  title: 'Web push',
  about:
    'Notifications of the browsers, on computers and phones, in which users turned them on (page Account). On an iPhone or iPad the page has to be on the home screen first.',
  fields: {
    users: { type: 'list', required: true, about: 'User names.' },
    ttl: {
      type: 'integer',
      default: 86_400,
      min: 60,
      max: 2_419_200,
      about: 'Seconds for which push services keep a notification for a browser that is not running.',
    },
    contact: {
      type: 'text',
      pattern: /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/,
      example: 'mailto:ADDRESS or an https URL',
      about: 'Whom operators of push services can ask about the sender. Default: setting email_from.',
    },
  },
  deadlineMs: 60_000,
  async send(notification, { users, ttl, contact }, deps) {
    const { browsers, unknown } = await deps.push.browsersOf(users)
    if (browsers.length === 0) return { kind: 'refused', reason: nobody(users, unknown) }
    const keys = await deps.push.keys()
    const from = { ...keys, subject: contact === '' ? contactOf(deps) : contact }
    const outcomes = await inTurns(browsers.slice(0, MAX_BROWSERS), (browser) =>
      sendTo(browser, notification, { ttl, from }, deps),
    )
    return summary(outcomes)
  },
})

interface Sending {
  readonly ttl: number
  readonly from: { readonly publicKey: string; readonly privateKey: string; readonly subject: string }
}

async function sendTo(
  { id, subscription }: PushTarget,
  notification: AlertNotification,
  { ttl, from }: Sending,
  deps: DeliveryDeps,
): Promise<Delivery> {
  if (deps.push.wasSent(notification.key, id)) return { kind: 'delivered' }
  try {
    const options = { ttl, urgency: URGENCY[level(notification)] }
    const data = { data: pushMessage(notification), options }
    // keys that cannot be used must not keep the message from the browsers of others
    const sealed = await buildPushPayload(data, { ...subscription, expirationTime: null }, from).catch(() => null)
    if (sealed === null)
      return {
        kind: 'refused',
        reason: 'nothing can be encrypted with the keys of the browser: turn notifications off and on in it',
      }
    const { headers, body } = sealed
    const { 'content-length': _, ...own } = headers
    const request: HttpRequest = { method: 'POST', url: subscription.endpoint, headers: own, body }
    // users enter endpoints, so they must not lead into the network of the server
    const { endpoint, keys } = subscription
    const hidden = [new URL(endpoint).pathname.slice(1), keys.auth, keys.p256dh]
    const note =
      deps.note === undefined ? undefined : (sent: string, got: string | null) => deps.note?.(sent, got, hidden)
    const response = await sendHttp(request, { ...deps, note, publicOnly: true })
    if (response.status === 404 || response.status === 410) {
      await deps.push.gone(id)
      return { kind: 'refused', reason: 'the browser no longer takes notifications' }
    }
    const outcome = judged(response, deps.now())
    if (outcome.kind === 'delivered') await deps.push.sent(notification.key, id)
    return outcome
  } catch (error) {
    if (error instanceof SendError)
      return error.retry ? again(error.message, null) : { kind: 'refused', reason: error.message }
    throw error
  }
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const some of slices(items, AT_ONCE)) results.push(...(await Promise.all(some.map(work))))
  return results
}

/** Delivered if a browser has it and none is worth another attempt. */
function summary(outcomes: readonly Delivery[]): Delivery {
  const failed = outcomes.flatMap((outcome) => (outcome.kind === 'delivered' ? [] : [outcome]))
  const [later] = failed.filter((outcome) => outcome.kind === 'retry')
  const [first] = failed
  const of = `${failed.length} of ${outcomes.length} browsers`
  if (later?.kind === 'retry') return again(`${of}: ${later.reason}`, later.afterMs ?? null)
  if (first === undefined || failed.length < outcomes.length) return { kind: 'delivered' }
  return { kind: 'refused', reason: `${of}: ${first.reason}` }
}

function nobody(users: readonly string[], unknown: readonly string[]): string {
  if (unknown.length === users.length) return `no user who may sign in is called ${unknown.join(', ')}`
  return 'none of the users has turned on notifications in a browser (page Account)'
}

function contactOf({ settings }: DeliveryDeps): string {
  const [address] = /[^\s<>,;:"()]+@[^\s<>,;:"()]+/.exec(settings.get('email_from') ?? '') ?? []
  return `mailto:${address ?? 'nobody@example.com'}`
}
