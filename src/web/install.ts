import { type AnyElysia, Elysia } from '../api/elysia.ts'
import { type AssetName, loadAssets } from './assets/assets.ts'

/** What browsers need to install the pages as an app (Web Application Manifest). */
const MANIFEST = JSON.stringify({
  id: '/',
  name: 'Portlight',
  short_name: 'Portlight',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#1a2029',
  theme_color: '#1a2029',
  icons: [192, 512].map((size) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })),
})

const fixed =
  (name: AssetName) =>
  async ({ request }: { readonly request: Request }): Promise<Response> =>
    (await loadAssets()).fixed(name, request)

/** Files with addresses that must not change, for everyone: the manifest, its icons, and the service worker. */
export const installRoutes: AnyElysia = new Elysia({ name: 'web.install', detail: { hide: true } })
  .get(
    '/manifest.webmanifest',
    () =>
      new Response(MANIFEST, {
        headers: {
          'Content-Type': 'application/manifest+json',
          'Cache-Control': 'no-cache',
          'X-Content-Type-Options': 'nosniff',
        },
      }),
  )
  .get('/push-worker.js', fixed('push-worker.js'))
  .get('/icon-192.png', fixed('icon-192.png'))
  .get('/icon-512.png', fixed('icon-512.png'))
