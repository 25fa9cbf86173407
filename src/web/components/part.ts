import type { Html } from '../jsx/jsx-runtime.ts'

/** A part of a page for a script of ours, which takes its rows. Opened by itself it can do nothing. */
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
