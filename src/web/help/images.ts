import { type AnyElysia, Elysia } from '../../api/elysia.ts'
import { IMAGES } from './address.ts'
import { documents } from './documents.ts'

/** Images of the documentation, for everyone: they show the demo. */
export const helpImageRoutes: AnyElysia = new Elysia({ name: 'web.help-images', detail: { hide: true } }).get(
  `${IMAGES}/*`,
  ({ params }) => imageAt(`img/${params['*']}`),
)

function imageAt(path: string): Response {
  const octets = documents().image(path)
  if (octets === null) return new Response('Not Found', { status: 404 })
  return new Response(octets, {
    headers: { 'Content-Type': 'image/png', 'Cache-Control': 'max-age=3600', 'X-Content-Type-Options': 'nosniff' },
  })
}
