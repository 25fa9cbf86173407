import type { Form } from '../page.ts'

const MAX_OCTETS = 65_536
/** Of a form of the usual size; a larger one may have more in proportion. */
const MAX_FIELDS = 4096

/**
 * Reads a form (`application/x-www-form-urlencoded`) of the usual size. null: larger, incomplete, or not a form. Of equal
 * names, the last wins.
 */
export async function readForm(request: Request): Promise<Form | null> {
  const form = await readFormUpTo(request)
  return form === TOO_LARGE ? null : form
}

/** A form that is larger than its page accepts. */
export const TOO_LARGE = 'too large'

/** `readForm` for a page that accepts larger forms, or tells its user that this one is too large. */
export async function readFormUpTo(request: Request, maxOctets = MAX_OCTETS): Promise<Form | null | typeof TOO_LARGE> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '')) return null
  if (request.body === null) return null
  if (Number(request.headers.get('content-length') ?? 0) > maxOctets) return TOO_LARGE
  const parts: Uint8Array[] = []
  let octets = 0
  try {
    for await (const part of request.body) {
      octets += part.byteLength
      if (octets > maxOctets) return TOO_LARGE
      parts.push(part)
    }
  } catch {
    return null // the browser went away while it was sending
  }
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(Buffer.concat(parts).toString('utf8'))) {
    if (form.size >= (MAX_FIELDS * maxOctets) / MAX_OCTETS) return TOO_LARGE
    form.set(name, value.replaceAll('\0', ''))
  }
  return form
}

/** Where to go after signing in: a path on this server, never another host. */
export function ownPath(to: string | null): string {
  return to !== null && /^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(to) ? to : '/'
}
