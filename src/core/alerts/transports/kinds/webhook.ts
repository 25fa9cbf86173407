import { createHmac } from 'node:crypto'
import { httpKind } from '../kind.ts'
import { webhookBody } from '../webhook-body.ts'

/** `v1=` followed by the HMAC-SHA256, in hexadecimal, of the timestamp, a dot and the body. */
export function webhookSignature(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

export const webhook = httpKind({
  name: 'webhook',
  title: 'Webhook',
  about: 'Posts JSON to your own program; portlight transport schema prints its schema.',
  fields: {
    url: { type: 'url', required: true, secret: true, about: 'URL to post to.' },
    secret: { type: 'text', secret: true, about: 'Key for signing requests. Empty: requests are not signed.' },
    headers: { type: 'pairs', secret: true, about: 'Additional headers, for example Authorization=Bearer TOKEN.' },
  },
  problems({ headers }) {
    const ok = Object.entries(headers).every(
      ([name, value]) => HEADER.test(name) && !/[^\t\x20-\x7e\x80-\xff]/.test(value),
    )
    return ok ? [] : ['headers: expected names and values that HTTP allows']
  },
  request(notification, { url, secret, headers }, { now }) {
    const body = JSON.stringify(webhookBody(notification))
    const timestamp = String(Math.floor(now / 1000))
    const signed =
      secret === ''
        ? {}
        : { 'Portlight-Timestamp': timestamp, 'Portlight-Signature': webhookSignature(secret, timestamp, body) }
    const own = { 'Content-Type': 'application/json', 'Idempotency-Key': notification.key, ...signed }
    return { method: 'POST', url, headers: { ...headers, ...own }, body }
  },
})

/** A token of RFC 9110 §5.6.2. */
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
