import { isObject, type Json, type JsonObject } from './json.ts'

/**
 * Route options as JSON, with their models from a client's point of view. Elysia closes input objects when it compiles
 * a route, which would mean that unknown members are refused; they are not.
 */
export function asJson(value: unknown): Json {
  const plain: Json = JSON.parse(
    JSON.stringify(value, (key, member: unknown) => {
      if (key === 'noValidate' || (key === 'additionalProperties' && member === false)) return undefined
      return typeof member === 'object' && member !== null && 'multipleOf' in member ? asInteger(member) : member
    }),
  )
  return plainSchema(plain)
}

/** Converts `whole()` to JSON Schema's integer. */
function asInteger(schema: object): object {
  return { ...schema, type: 'integer', multipleOf: undefined }
}

/**
 * TypeBox's forms as those that generators of clients understand: a choice of constants is an `enum`, a record has
 * `additionalProperties`, and a choice within a choice is one choice.
 */
function plainSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map(plainSchema)
  if (!isObject(value)) return value
  const schema = asRecord(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainSchema(member)])),
  )
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const forms = anyOf.flatMap((form) => (isOnlyChoice(form) ? form.anyOf : [form]))
  const [first] = forms
  const choices = enumOf(forms.filter((form) => !isNull(form)))
  if (choices === null) return { ...rest, anyOf: forms.map(asChoice) }
  return first !== undefined && forms.some(isNull)
    ? { ...rest, anyOf: [choices, { type: 'null' }] }
    : { ...rest, ...choices }
}

/** A constant text among other forms as an `enum` of one: openapi-python-client refuses the other forms otherwise. */
function asChoice(form: Json): Json {
  if (!isObject(form) || typeof form['const'] !== 'string') return form
  const { const: text, ...rest } = form
  return { ...rest, enum: [text] }
}

/** `patternProperties` for any name, which is how TypeBox writes a record. */
const ANY_NAME = '^(.*)$'

function asRecord(schema: JsonObject): JsonObject {
  const { patternProperties, ...rest } = schema
  if (!isObject(patternProperties) || patternProperties[ANY_NAME] === undefined) return schema
  return { ...rest, additionalProperties: patternProperties[ANY_NAME] }
}

function isOnlyChoice(form: Json): form is { anyOf: Json[] } {
  return isObject(form) && Array.isArray(form['anyOf']) && Object.keys(form).length === 1
}

function isNull(form: Json): boolean {
  return isObject(form) && form['type'] === 'null'
}

/** Constants of one type as an `enum`; null if there are fewer than two, or if any form is not such a constant. */
function enumOf(forms: readonly Json[]): JsonObject | null {
  const constants = forms.map((form) => (isObject(form) ? (form['const'] ?? form['enum'] ?? null) : null))
  const values = constants.flat()
  const types = new Set(values.map((value) => (value === null ? 'other' : typeof value)))
  const [type] = types
  if (values.length < 2 || types.size !== 1 || (type !== 'string' && type !== 'number')) return null
  return { type: type === 'number' && values.every(Number.isInteger) ? 'integer' : type, enum: values }
}
