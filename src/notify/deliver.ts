import type { Delivery, Notification, Transport } from './notification.ts'

const TIMEOUT_MS = 10_000

/** Sends a notification by a transport. Never throws. */
export async function deliver(
  { kind, settings }: Transport,
  notification: Notification,
  signal: AbortSignal,
): Promise<Delivery> {
  if (kind !== 'webhook') return { kind: 'refused', reason: `there is no transport of type ${kind}` }
  const url = settings['url']
  if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return { kind: 'refused', reason: 'the URL is not HTTP' }
  return await post(url, notification, signal)
}

async function post(url: string, { images: _, ...body }: Notification, signal: AbortSignal): Promise<Delivery> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': body.key },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    if (response.ok) return { kind: 'delivered' }
    const reason = `the receiver answered ${response.status}`
    const later = response.status >= 500 || response.status === 408 || response.status === 429
    return { kind: later ? 'retry' : 'refused', reason }
  } catch (error) {
    // Messages of fetch may contain the URL, and with it a secret.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer'
    return { kind: 'retry', reason: code }
  }
}
