const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
}

/** Text escaped for HTML. */
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (mark) => ENTITIES[mark] ?? mark)

/** Text percent-encoded as in RFC 3986. An unpaired surrogate cannot be encoded and becomes U+FFFD. */
export function urlEncoded(text: string): string {
  const code = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text.toWellFormed()).replaceAll(/[!'()*]/g, code)
}
