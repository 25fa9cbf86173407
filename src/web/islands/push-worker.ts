// The service worker of the pages: shows notifications that the server pushes, and opens their page. It stores nothing
// and answers no requests.

interface Message {
  readonly title?: unknown
  readonly body?: unknown
  readonly tag?: unknown
  readonly path?: unknown
  readonly level?: unknown
  readonly time?: unknown
}

/** The parts of ServiceWorkerGlobalScope that are used; the types of the DOM do not have it. */
interface Worker {
  readonly location: { readonly origin: string }
  readonly registration: { showNotification(title: string, options: object): Promise<void> }
  readonly clients: {
    matchAll(options: object): Promise<readonly { readonly url: string; focus(): Promise<unknown> }[]>
    openWindow(url: string): Promise<unknown>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install', listener: (event: Waiting) => void): void
  addEventListener(
    type: 'push',
    listener: (event: Waiting & { readonly data: { json(): unknown } | null }) => void,
  ): void
  addEventListener(type: 'notificationclick', listener: (event: Waiting & Clicked) => void): void
}

interface Waiting {
  waitUntil(work: Promise<unknown>): void
}

interface Clicked {
  readonly notification: { readonly data: unknown; close(): void }
}

const worker = self as unknown as Worker
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function messageOf(data: { json(): unknown } | null): Message {
  try {
    const value = data?.json()
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The address of a page of this server; the start page for anything else. */
function ownPage(path: unknown): string {
  const url = URL.parse(text(path), worker.location.origin)
  return url?.origin === worker.location.origin ? url.href : `${worker.location.origin}/`
}

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()))

worker.addEventListener('push', (event) => {
  const { title, body, tag, path, level, time } = messageOf(event.data)
  // browsers demand that something is shown
  event.waitUntil(
    worker.registration.showNotification(text(title) || 'Portlight', {
      body: text(body),
      icon: '/icon-192.png',
      ...(text(tag) === '' ? {} : { tag: text(tag), renotify: true }),
      ...(typeof time === 'number' ? { timestamp: time } : {}),
      requireInteraction: level === 'critical',
      data: { path: text(path) },
    }),
  )
})

worker.addEventListener('notificationclick', (event) => {
  const { data } = event.notification
  event.notification.close()
  const url = ownPage(typeof data === 'object' && data !== null && 'path' in data ? data.path : '/')
  event.waitUntil(
    (async () => {
      const open = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
      const there = open.find((client) => client.url === url)
      if (there === undefined) await worker.clients.openWindow(url)
      else await there.focus()
    })(),
  )
})

export {}
