import type { Html } from '../jsx/jsx-runtime.ts'

/** A fragment of a page, from which our script takes rows. The policy keeps it inert when it is opened on its own. */
export function htmlPart(part: Html): Response {
  return new Response(part.text, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, no-store',
    },
  })
}
