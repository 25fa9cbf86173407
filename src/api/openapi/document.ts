import type { RoutedApp } from '../route-index.ts'
import { nameObjects } from './components.ts'
import { isObject, type Json, type JsonObject, propertiesOf } from './json.ts'
import { sharedPaths } from './paths.ts'
import { asJson } from './schema.ts'

const ABOUT =
  'HTTP API of the network monitor. Generation v0 is stable and compatible with LibreNMS; v1 is beta and answers 404 ' +
  'unless setting api.v1.enabled is on.'

/** Errors that every v0 operation may return. `body`: only operations that read one. */
const SHARED: readonly { status: string; name: string; description: string; body?: true }[] = [
  { status: '400', name: 'malformed', description: 'Malformed path, query or body' },
  { status: '401', name: 'unauthenticated', description: 'No valid token' },
  { status: '403', name: 'unauthorized', description: "The token's roles do not allow it" },
  { status: '413', name: 'tooLarge', description: 'Body above setting api.max_body', body: true },
  { status: '429', name: 'tooManyAttempts', description: 'Too many wrong tokens from this address' },
  {
    status: '503',
    name: 'unavailable',
    description: 'Database unavailable, or a concurrent request changed the same object',
  },
]
const MESSAGE = { title: 'Refusal', type: 'object', required: ['message'], properties: { message: { type: 'string' } } }

const ANSWERS: Readonly<Record<string, string>> = {
  200: 'Success',
  400: 'Bad input',
  401: 'No valid token',
  403: 'Not allowed',
  404: 'Does not exist',
  409: 'Name, address or id is already in use',
  415: 'Neither JSON nor JSON:API',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'The device does not answer, or the database is unavailable',
}

/**
 * The OpenAPI 3.1 document of all mounted routes, whose models already are JSON Schema. Sorted by path, so that it only
 * changes when the routes do.
 */
export function openApiDocument(app: RoutedApp, version: string): JsonObject {
  const routes = app.routes.flatMap(({ method, path: routed, hooks }) => {
    const plain = asJson(hooks)
    if (!isObject(plain) || !isObject(plain['detail'])) return []
    const { operationId, hide, 'x-path': documented, ...detail } = plain['detail']
    if (typeof operationId !== 'string' || hide === true) return []
    const path = template(typeof documented === 'string' ? documented : routed)
    return [
      {
        path,
        method: method.toLowerCase(),
        described: operation(path, template(routed), { operationId, ...detail }, plain),
      },
    ]
  })
  const refusals = SHARED.map(({ name, description }) => [
    name,
    { description, content: { 'application/json': { schema: MESSAGE } } },
  ])
  const { paths, responses, schemas } = nameObjects(sharedPaths(routes), Object.fromEntries(refusals))
  return {
    openapi: '3.1.2',
    info: {
      title: 'Portlight API',
      version,
      description: ABOUT,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token', description: 'v0 only' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      responses,
      schemas,
    },
  }
}

/** Converts `/ports/:portid` to `/ports/{portid}`. */
function template(path: string): string {
  return path
    .replaceAll(/:(\w+)/g, '{$1}')
    .replace('/*', '/{*}')
    .replace(/(.)\/$/, '$1')
}

function operation(path: string, routed: string, detail: JsonObject, hooks: JsonObject): JsonObject {
  const body = hooks['body']
  const mediaType = path.startsWith('/api/v1') ? 'application/vnd.api+json' : 'application/json'
  const answers = Object.entries(isObject(hooks['response']) ? hooks['response'] : {}).map(([status, schema]) => {
    const picture = status === '200' && isPicture(schema) ? PICTURE : {}
    const content = isStream(schema)
      ? { 'text/event-stream': { schema: { type: 'string' } } }
      : { ...picture, [mediaType]: { schema: Number(status) < 400 ? schema : undescribed(schema) } }
    return [status, { description: described(status, schema), content }] as const
  })
  return {
    tags: [path.startsWith('/api/v1') ? 'v1' : (path.split('/')[3] ?? 'system')],
    ...detail,
    parameters: [...pathParameters(path, routed, hooks['params']), ...queryParameters(hooks['query'])],
    ...(isObject(body) && { requestBody: { required: true, content: { [mediaType]: { schema: body } } } }),
    responses: {
      ...(mediaType === 'application/json' && sharedAnswers(isObject(body))),
      ...Object.fromEntries(answers),
    },
  }
}

/** The description in the model, if there is one; errors that occur in only one dialect have one. */
function described(status: string, schema: Json): string {
  const own = Number(status) >= 400 && isObject(schema) ? schema['description'] : undefined
  return typeof own === 'string' ? own : (ANSWERS[status] ?? status)
}

/** An error's model without the description of its status. */
function undescribed(schema: Json): Json {
  if (!isObject(schema)) return schema
  const { description: _, ...model } = schema
  return model
}

function sharedAnswers(hasBody: boolean): JsonObject {
  const said = SHARED.filter(({ body }) => body !== true || hasBody)
  return Object.fromEntries(said.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }]))
}

const IMAGE: JsonObject = { schema: { type: 'string', format: 'binary' } }

/**
 * The types of an image. `application/octet-stream` comes first for generators that know no images: they would read a
 * picture as JSON.
 */
const PICTURE: JsonObject = { 'application/octet-stream': IMAGE, 'image/png': IMAGE, 'image/svg+xml': IMAGE }

/** Whether an answer is a stream of server-sent events, which its model marks only by its description. */
function isStream(schema: Json): boolean {
  return isObject(schema) && schema['description'] === 'text/event-stream'
}

/** Whether the answer is an image unless output=base64 or output=json asks for JSON. */
function isPicture(schema: Json): boolean {
  const forms = isObject(schema) && Array.isArray(schema['anyOf']) ? schema['anyOf'] : [schema]
  return forms.some((form) => isObject(propertiesOf(propertiesOf(form)['image'])['content-type']))
}

/** Maps parameters by position, because the router's names differ from the documented ones. */
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
