/** Why notifications cannot be turned on in this browser; null: they can. */
function obstacle(): string | null {
  if (!isSecureContext) return 'Notifications in the browser need HTTPS.'
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis))
    return 'This browser has no notifications of pages. On an iPhone or iPad, add this page to the home screen (Share, Add to Home Screen) and open it from there.'
  if (Notification.permission === 'denied')
    return 'Notifications of this site are blocked. Allow them in the settings of the browser, then reload the page.'
  return null
}

function octetsOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/** The button that turns on notifications in this browser (`data-push`: the server's public key). */
export function startPush(): void {
  const box = document.querySelector<HTMLElement>('[data-push]')
  const state = box?.querySelector<HTMLElement>('[data-push-state]')
  const button = box?.querySelector<HTMLButtonElement>('button[data-push-on]')
  const form = box?.querySelector('form')
  const field = form?.elements.namedItem('subscription')
  if (box === null || !state || !button || !form || !(field instanceof HTMLInputElement)) return
  const why = obstacle()
  state.textContent = why ?? 'This browser can show notifications, also when no page is open.'
  if (why !== null) return
  button.hidden = false
  ownHash().then(
    (hash) => {
      const isOn = [...document.querySelectorAll('[data-push-browser]')].some(
        (row) => row.getAttribute('data-push-browser') === hash,
      )
      if (!isOn) return
      state.textContent = 'Notifications are on in this browser.'
      button.hidden = true
    },
    // turning them on again does no harm
    () => undefined,
  )
  const key = box.dataset['push'] ?? ''
  button.addEventListener('click', () => {
    button.disabled = true
    subscribed(key).then(
      (subscription) => {
        field.value = JSON.stringify(subscription)
        form.submit()
      },
      (error: unknown) => {
        button.disabled = false
        state.textContent = `Notifications could not be turned on: ${error instanceof Error ? error.message : 'unknown error'}`
      },
    )
  })
}

/** SHA-256 of this browser's endpoint in hex; null: it has none. */
async function ownHash(): Promise<string | null> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  const subscription = await registration?.pushManager.getSubscription()
  if (!subscription) return null
  const octets = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint))
  return [...new Uint8Array(octets)].map((octet) => octet.toString(16).padStart(2, '0')).join('')
}

async function subscribed(key: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== 'granted') throw new Error('the browser did not allow them')
  await navigator.serviceWorker.register('/push-worker.js', { scope: '/' })
  const { pushManager } = await navigator.serviceWorker.ready
  const applicationServerKey = octetsOf(key)
  const before = await pushManager.getSubscription()
  // a subscription is bound to the key of its server, which may have been another installation
  if (before !== null) {
    const used = before.options.applicationServerKey
    if (used !== null && new Uint8Array(used).toString() === applicationServerKey.toString()) return before
    await before.unsubscribe()
  }
  return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })
}
