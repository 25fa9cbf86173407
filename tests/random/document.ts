import Ajv, { type ValidateFunction } from 'ajv/dist/2020'

/** A JSON Schema as far as the generator looks at it. */
export interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
  readonly required?: readonly string[]
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Schema
}

/** One operation of the document, and what it may answer. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** With `{name}` for parameters. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** null: it reads none. */
  readonly body: Schema | null
  /** By status and media type; a null validator: no JSON. */
  readonly answers: ReadonlyMap<number, ReadonlyMap<string, ValidateFunction | null>>
}

interface Answer {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}

interface Described {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, Answer>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: {
    readonly responses: Readonly<Record<string, Answer>>
    readonly schemas: Readonly<Record<string, object>>
  }
}

const NAMED = '#/components/schemas/'

/** The document with every named schema in the places where it is used. None of them contains itself. */
function inPlace(document: Document): Document {
  const { schemas } = document.components
  const placed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(placed)
    if (typeof value !== 'object' || value === null) return value
    if ('$ref' in value && typeof value.$ref === 'string' && value.$ref.startsWith(NAMED))
      return placed(schemas[value.$ref.slice(NAMED.length)])
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, placed(member)]))
  }
  return placed(document) as Document
}

/** The body of an operation of v0, or of v1, whose type is JSON:API's; null: it reads none. */
const bodyOf = (content: NonNullable<Described['requestBody']>['content'] = {}): Schema | null =>
  (content['application/json'] ?? content['application/vnd.api+json'])?.schema ?? null

/** The operations of an OpenAPI document, by path and method, and a validator for each answer. */
export function operationsOf(document: unknown): readonly Operation[] {
  const { paths, components } = inPlace(document as Document)
  const ajv = new Ajv({ strict: false, allErrors: false, validateFormats: false })
  const compiled = new Map<string, ValidateFunction>()
  const validator = (schema: object) => {
    const key = JSON.stringify(schema)
    const known = compiled.get(key) ?? ajv.compile(schema)
    compiled.set(key, known)
    return known
  }
  const content = (answer: Answer) => {
    const meant = answer.$ref === undefined ? answer : components.responses[answer.$ref.split('/').at(-1) ?? '']
    return new Map(
      Object.entries(meant?.content ?? {}).map(([type, { schema }]) => [
        type,
        type.endsWith('json') ? validator(schema) : null,
      ]),
    )
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      parameters: described.parameters ?? [],
      body: bodyOf(described.requestBody?.content),
      answers: new Map(
        Object.entries(described.responses).map(([status, answer]) => [Number(status), content(answer)]),
      ),
    })),
  )
}

/** Words of paths. As a value of a parameter such a word would lead to another operation. */
export function fixedWords(operations: readonly Operation[]): ReadonlySet<string> {
  return new Set(operations.flatMap(({ path }) => path.split('/').filter((word) => !word.startsWith('{'))))
}
