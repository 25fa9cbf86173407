import { toOpenAPISchema } from '@elysiajs/openapi/openapi'
import type { AnyElysia } from 'elysia'

const ABOUT = `HTTP API of the network monitor. Generation v0 is stable and compatible with LibreNMS; v1 is beta and answers 404
unless setting api.v1.enabled is on. Beyond the answers listed, every v0 operation may answer 401 (no valid token), 403 (the
token's roles do not allow it), 413 (body above api.max_body) and 503 (database away), each with a text \`message\`.`

/** Graph operations: the body is the picture unless output=base64 asks for JSON. */
const GRAPHS = new Set(['get_graph_by_port_hostname', 'get_graph_generic_by_hostname'])

export type Json = { [member: string]: Json } | Json[] | string | number | boolean | null

/** The OpenAPI 3.1 document of all mounted routes. Sorted, so that it changes only when the routes do. */
export function openApiDocument(app: AnyElysia, version: string): Json {
  const { paths } = toOpenAPISchema(app)
  const plain = asJson(paths)
  const entries = Object.entries(isObject(plain) ? plain : {})
    .map(([path, item]) => [path === '/' ? path : path.replace(/\/$/, '').replace('/*', '/{search}'), item] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [path, item] of entries)
    if (isObject(item)) for (const operation of Object.values(item)) finish(path, operation)
  return {
    openapi: '3.1.2',
    info: {
      title: 'Portlight API',
      version,
      description: ABOUT.replaceAll('\n', ' '),
      license: { name: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { bearer: [] }],
    paths: Object.fromEntries(entries),
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token', description: 'v0 only' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

/** Types and symbols of the schemas go; what stays is what a client sees. */
function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value, (key, member) => (key === 'noValidate' ? undefined : member)))
}

export function isObject(value: Json | undefined): value is { [member: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function finish(path: string, operation: Json): void {
  if (!isObject(operation)) return
  operation['tags'] ??= [path.startsWith('/api/v1') ? 'v1' : (path.split('/')[3] ?? 'system')]
  if (path.includes('{search}') && Array.isArray(operation['parameters'])) {
    const names = operation['parameters'].map((p) => (isObject(p) ? p['name'] : null))
    for (const name of ['field', 'search']) {
      if (path.includes(`{${name}}`) && !names.includes(name)) {
        operation['parameters'].push({ name, in: 'path', required: true, schema: { type: 'string' } })
      }
    }
  }
  if (!GRAPHS.has(String(operation['operationId']))) return
  const ok = isObject(operation['responses']) ? operation['responses']['200'] : undefined
  const content = isObject(ok) ? ok['content'] : undefined
  if (isObject(content)) content['image/png'] = { schema: { type: 'string', format: 'binary' } }
}
