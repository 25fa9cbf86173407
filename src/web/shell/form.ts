import type { Form } from '../page.ts'

const MAX_OCTETS = 65_536
const MAX_FIELDS = 2000

/**
 * Reads a form (`application/x-www-form-urlencoded`). null: too large, incomplete, or not a form. Of equal names, the last wins.
 */
export async function readForm(request: Request, maxOctets = MAX_OCTETS): Promise<Form | null> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '')) return null
  if (Number(request.headers.get('content-length') ?? 0) > maxOctets || request.body === null) return null
  const parts: Uint8Array[] = []
  let octets = 0
  try {
    for await (const part of request.body) {
      octets += part.byteLength
      if (octets > maxOctets) return null
      parts.push(part)
    }
  } catch {
    return null // the browser went away while it was sending
  }
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(Buffer.concat(parts).toString('utf8'))) {
    if (form.size >= MAX_FIELDS) return null
    form.set(name, value.replaceAll('\0', ''))
  }
  return form
}

/** Where to go after signing in: a path on this server, never another host. */
export function ownPath(to: string | null): string {
  return to !== null && /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(to) ? to : '/'
}
