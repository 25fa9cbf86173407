import type { Html } from '../jsx/jsx-runtime.ts'

/** Content security policy: only files of this server, no inline scripts or styles, no framing. */
const policy = (images: string | null) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data:${images === null ? '' : ` ${images}`}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

/** The header that also allows images from one other origin (scheme, host and port). */
export const allowingImages = (origin: string): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': policy(origin),
})

/** Headers of every page. Pages depend on what the user may see, so they must not be cached. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy(null),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'private, no-store',
  Vary: 'Accept-Encoding, Cookie',
}

/** Pages shorter than this many characters are not worth compressing. */
const SMALL = 1400

/** A page, compressed if the browser accepts it. */
export function htmlAnswer(
  request: Request,
  document: Html,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const text = `<!doctype html>${document.text}`
  const all = { ...HEADERS, ...headers }
  if (text.length < SMALL || !/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')) {
    return new Response(text, { status, headers: all })
  }
  // Level 4 compresses a list of 100 rows in 1 ms; level 9 takes 6 ms for a result that is a tenth smaller.
  return new Response(Bun.gzipSync(text, { level: 4 }), { status, headers: { ...all, 'Content-Encoding': 'gzip' } })
}
