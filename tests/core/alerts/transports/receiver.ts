import Ajv from 'ajv/dist/2020'

/** A request as it arrived. */
export interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
}

/** A real HTTP server on loopback that takes the place of a vendor's server. */
export interface Receiver {
  readonly url: string
  readonly arrived: Arrived[]
  /** Makes the response to the next requests. */
  answer: () => Response
  stop(): void
}

export function startReceiver(): Receiver {
  const arrived: Arrived[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const text = await request.text()
      const { pathname, search } = new URL(request.url)
      const json: unknown = request.headers.get('content-type')?.startsWith('application/json')
        ? JSON.parse(text)
        : request.headers.get('content-type') === 'application/x-www-form-urlencoded'
          ? Object.fromEntries(new URLSearchParams(text))
          : null
      arrived.push({ method: request.method, path: `${pathname}${search}`, headers: request.headers, text, json })
      return receiver.answer()
    },
  })
  const receiver: Receiver = {
    url: `http://127.0.0.1:${server.port}`,
    arrived,
    answer: () => new Response('ok'),
    stop: () => void server.stop(true),
  }
  return receiver
}

// maxLength counts code points; the limits of vendors that count differently are checked separately
const ajv = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true })

/** Violations of a schema, as text. */
export function faults(schema: object, value: unknown): string[] {
  const validate = ajv.compile(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

/** A schema with exactly these members; those whose name ends with ? are optional. */
export function members(properties: Readonly<Record<string, unknown>>): object {
  const names = Object.keys(properties)
  return {
    type: 'object',
    additionalProperties: false,
    required: names.filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name.replace(/\?$/, ''), schema]),
    ),
  }
}

export const str = (maxLength: number, minLength = 0) => ({ type: 'string', maxLength, minLength })
export const uri = { type: 'string', pattern: '^https?://', maxLength: 2048 }
export const list = (items: object, maxItems: number, minItems = 1) => ({ type: 'array', items, maxItems, minItems })
export const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' }
