/** Pause in typing after which the server is asked. */
const REST_MS = 250

/**
 * Returns a function that sends the form as it is, to be tried, and shows the answer; a newer request replaces an
 * older.
 */
export function trier(form: HTMLFormElement): () => void {
  let timer = 0
  let asking: AbortController | null = null
  const ask = async () => {
    asking?.abort()
    const abort = new AbortController()
    asking = abort
    const body = new URLSearchParams()
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value)
    body.set('do', 'try')
    const answer = await fetch(form.action, { method: 'POST', body, signal: abort.signal, redirect: 'manual' })
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const [now, next] = [form.querySelector('[data-trial]'), fresh.querySelector('[data-trial]')]
    if (now !== null && next !== null) now.innerHTML = next.innerHTML
  }
  return () => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask().catch(() => undefined), REST_MS)
  }
}
