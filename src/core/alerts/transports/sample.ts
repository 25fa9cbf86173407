import type { AlertNotification } from './notification.ts'

/** The notification that `transport test` sends; it belongs to no device and no rule. */
export function sampleNotification(transport: string, now: number): AlertNotification {
  const title = 'Test: Portlight'
  const text = `${title}\n\nThis is a test of the transport ${transport}. Nothing is wrong.`
  return {
    key: crypto.randomUUID(),
    kind: 'test',
    severity: 'ok',
    state: 0,
    title,
    text,
    html: null,
    chat: text,
    device: {
      id: 0,
      hostname: 'portlight',
      display: '',
      called: 'portlight',
      ip: null,
      location: null,
      contact: null,
      url: null,
    },
    rule: { id: 0, name: 'Test' },
    alertId: 0,
    time: now,
    url: null,
    ackUrl: null,
    faults: [],
    images: [],
  }
}
