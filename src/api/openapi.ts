import type { RoutedApp } from './route-index.ts'

const ABOUT =
  'HTTP API of the network monitor. Generation v0 is stable and compatible with LibreNMS; v1 is beta and answers 404 ' +
  'unless setting api.v1.enabled is on. Beyond the answers listed, every v0 operation may answer 401 (no valid token), ' +
  "403 (the token's roles do not allow it), 413 (body above api.max_body) and 503 (database away), each with a text `message`."

/** Graph operations: the body is the picture unless output=base64 asks for JSON. */
const GRAPHS = new Set(['get_graph_by_port_hostname', 'get_graph_generic_by_hostname'])

const ANSWERS: Readonly<Record<string, string>> = {
  200: 'Success',
  400: 'Bad input',
  401: 'No valid token',
  403: 'Not allowed',
  404: 'Not there',
  415: 'Neither JSON nor JSON:API',
  429: 'Too many requests',
  500: 'Failed',
  503: 'Database away',
}

export type Json = { [member: string]: Json } | Json[] | string | number | boolean | null
type JsonObject = { [member: string]: Json }

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The OpenAPI 3.1 document of all mounted routes; their models are JSON Schema already. Sorted by path, so that it
 * changes only when the routes do.
 */
export function openApiDocument(app: RoutedApp, version: string): JsonObject {
  const paths: Record<string, JsonObject> = {}
  const routes = app.routes.flatMap(({ method, path: routed, hooks }) => {
    const plain = asJson(hooks)
    if (!isObject(plain) || !isObject(plain['detail'])) return []
    const { operationId, hide, 'x-path': documented, ...detail } = plain['detail']
    if (typeof operationId !== 'string' || hide === true) return []
    const path = template(typeof documented === 'string' ? documented : routed)
    return [
      { path, method: method.toLowerCase(), ...operation(path, template(routed), { operationId, ...detail }, plain) },
    ]
  })
  for (const { path, method, ...described } of routes.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    paths[path] = { ...paths[path], [method]: described }
  }
  return {
    openapi: '3.1.2',
    info: { title: 'Portlight API', version, description: ABOUT, license: { name: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token', description: 'v0 only' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  }
}

/** `/ports/:portid` as `/ports/{portid}`. */
function template(path: string): string {
  return path
    .replaceAll(/:(\w+)/g, '{$1}')
    .replace('/*', '/{*}')
    .replace(/(.)\/$/, '$1')
}

/**
 * The schemas as a client sees them. Elysia closes the objects of inputs when it compiles a route, which would say that
 * unknown members are refused; they are not.
 */
function asJson(value: unknown): Json {
  return JSON.parse(
    JSON.stringify(value, (key, member: unknown) => {
      if (key === 'noValidate' || (key === 'additionalProperties' && member === false)) return undefined
      return typeof member === 'object' && member !== null && 'multipleOf' in member ? asInteger(member) : member
    }),
  )
}

/** `whole()` of the models in the words of JSON Schema. */
function asInteger(schema: object): object {
  return { ...schema, type: 'integer', multipleOf: undefined }
}

function operation(path: string, routed: string, detail: JsonObject, hooks: JsonObject): JsonObject {
  const id = String(detail['operationId'])
  const body = hooks['body']
  const mediaType = path.startsWith('/api/v1') ? 'application/vnd.api+json' : 'application/json'
  const answers = Object.entries(isObject(hooks['response']) ? hooks['response'] : {}).map(([status, schema]) => {
    const picture =
      status === '200' && GRAPHS.has(id) ? { 'image/png': { schema: { type: 'string', format: 'binary' } } } : {}
    return [
      status,
      { description: ANSWERS[status] ?? status, content: { ...picture, [mediaType]: { schema } } },
    ] as const
  })
  return {
    tags: [path.startsWith('/api/v1') ? 'v1' : (path.split('/')[3] ?? 'system')],
    ...detail,
    parameters: [...pathParameters(path, routed, hooks['params']), ...queryParameters(hooks['query'])],
    ...(isObject(body) && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: Object.fromEntries(answers),
  }
}

/** The model knows the parameters by the router's names, which stand in the same places as the documented ones. */
function pathParameters(path: string, routed: string, model: Json | undefined): Json[] {
  const properties = propertiesOf(model)
  const routers = [...routed.matchAll(/\{([\w*]+)\}/g)].map(([, name = '']) => name)
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ''], i) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[routers[i] ?? name] ?? { type: 'string' },
  }))
}

function queryParameters(model: Json | undefined): Json[] {
  const required = isObject(model) && Array.isArray(model['required']) ? model['required'] : []
  return Object.entries(propertiesOf(model)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function propertiesOf(model: Json | undefined): JsonObject {
  const properties = isObject(model) ? model['properties'] : undefined
  return isObject(properties) ? properties : {}
}
