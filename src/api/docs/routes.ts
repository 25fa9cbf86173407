import icon from 'swagger-ui-dist/favicon-32x32.png' with { type: 'file' }
import styles from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import { Elysia } from '../elysia.ts'

/** Allows only resources of this server, and no framing. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'Content-Security-Policy': POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Portlight API</title>
<link rel="icon" type="image/png" href="/docs/icon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="ui"></div>
<noscript>The API reference needs JavaScript; the document itself is <a href="/openapi.json">openapi.json</a>.</noscript>
<script src="/docs/swagger-ui.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/** Disables the default validator, which is a third-party server. */
const START = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#ui',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  operationsSorter: 'alpha',
  tagsSorter: 'alpha',
  defaultModelsExpandDepth: -1,
  validatorUrl: null,
})
`

const answer = (body: Blob | string, type: string) =>
  new Response(body, { headers: { ...HEADERS, 'Content-Type': type } })

/** API reference in the browser: Swagger UI over `/openapi.json`, without third-party servers. */
export const docsRoutes = () =>
  new Elysia({ name: 'docs', prefix: '/docs', detail: { hide: true } })
    .get('', () => answer(PAGE, 'text/html; charset=utf-8'))
    .get('/start.js', () => answer(START, 'text/javascript; charset=utf-8'))
    .get('/swagger-ui.js', () => answer(Bun.file(bundle), 'text/javascript; charset=utf-8'))
    .get('/swagger-ui.css', () => answer(Bun.file(styles), 'text/css; charset=utf-8'))
    .get('/icon.png', () => answer(Bun.file(icon), 'image/png'))
