import { isObject, type Json, type JsonObject } from './json.ts'

const PREFIX = '#/components/schemas/'

/** Where a schema was found, from which it gets a name unless its model has a title. */
interface Found {
  readonly schema: JsonObject
  /** Titles that models of this structure have. */
  readonly titles: Set<string>
  /** `GetDeviceAnswer`, `GetDeviceAnswerDevices`. */
  readonly derived: string
}

/**
 * Moves the objects of a document to `components.schemas`, so that generators make one class of each rather than one
 * for every place where it is used. Objects of the same structure are one. The name is the title of the model; without
 * one, that of the first operation that has it, and of the member.
 */
export function nameObjects(
  paths: JsonObject,
  refusals: JsonObject,
): { readonly paths: JsonObject; readonly responses: JsonObject; readonly schemas: JsonObject } {
  const found = new Map<string, Found>()
  const each = (visit: (schema: Json, name: string) => Json): [JsonObject, JsonObject] => [
    visitPaths(paths, visit),
    visitAnswers(refusals, () => 'Refusal', visit),
  ]
  each((schema, name) => {
    collect(schema, name, found)
    return schema
  })
  const names = namesOf(found)
  const refer = (schema: Json) => replaced(schema, names)
  const [namedPaths, responses] = each(refer)
  const schemas = [...found].map(([key, { schema }]) => {
    const { title: _, ...untitled } = schema
    return [names.get(key) ?? '', membersReplaced(untitled, names)] as const
  })
  return {
    paths: namedPaths,
    responses,
    schemas: Object.fromEntries(schemas.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}

type Visit = (schema: Json, name: string) => Json

/** The paths with the result of `visit` for the schema of every body and answer. */
function visitPaths(paths: JsonObject, visit: Visit): JsonObject {
  return mapped(paths, (item) =>
    mapped(item, (operation) => {
      if (!isObject(operation)) return operation
      const { requestBody, responses } = operation
      const name = pascal(String(operation['operationId']))
      const answer = (status: string) => (Number(status) < 300 ? `${name}Answer` : 'Failure')
      return {
        ...operation,
        ...(requestBody !== undefined && { requestBody: visitContent(requestBody, `${name}Body`, visit) }),
        ...(isObject(responses) && { responses: visitAnswers(responses, answer, visit) }),
      }
    }),
  )
}

function visitAnswers(responses: JsonObject, name: (status: string) => string, visit: Visit): JsonObject {
  return mapped(responses, (response, status) => visitContent(response, name(status), visit))
}

function visitContent(response: Json, name: string, visit: Visit): Json {
  if (!isObject(response) || !isObject(response['content'])) return response
  const content = mapped(response['content'], (media) =>
    isObject(media) && media['schema'] !== undefined ? { ...media, schema: visit(media['schema'], name) } : media,
  )
  return { ...response, content }
}

function mapped(object: Json, change: (member: Json, name: string) => Json): JsonObject {
  return isObject(object)
    ? Object.fromEntries(Object.entries(object).map(([name, member]) => [name, change(member, name)]))
    : {}
}

/** Schemas of objects with known members; those of records stay where they are. */
function isNamed(schema: Json): schema is JsonObject {
  return isObject(schema) && (isObject(schema['properties']) || Array.isArray(schema['allOf']))
}

/** Equal for schemas of the same structure. */
function keyOf(schema: JsonObject): string {
  // a member named title has a schema, not a text
  return JSON.stringify(schema, (name, member: unknown) =>
    name === 'title' && typeof member === 'string' ? undefined : member,
  )
}

function collect(schema: Json, name: string, found: Map<string, Found>): void {
  if (!isObject(schema)) return
  if (isNamed(schema)) {
    const key = keyOf(schema)
    const known = found.get(key) ?? { schema, titles: new Set<string>(), derived: name }
    if (typeof schema['title'] === 'string') known.titles.add(schema['title'])
    if (found.has(key)) return
    found.set(key, known)
  }
  for (const [member, inner] of inside(schema)) collect(inner, name + pascal(member), found)
}

/** The schemas within a schema, each with the word that it adds to the name; members add theirs, choices none. */
function inside({ properties, items, anyOf, allOf, additionalProperties }: JsonObject): [string, Json][] {
  const forms = [items, additionalProperties, anyOf, allOf].flat().filter((form) => form !== undefined)
  return [...Object.entries(isObject(properties) ? properties : {}), ...forms.map((form): [string, Json] => ['', form])]
}

/** A name of its own for each schema, by key. Throws if two models have one title. */
function namesOf(found: ReadonlyMap<string, Found>): Map<string, string> {
  const taken = new Set<string>()
  const names = new Map<string, string>()
  const titled = [...found].toSorted(([, a], [, b]) => Number(b.titles.size > 0) - Number(a.titles.size > 0))
  for (const [key, { titles, derived }] of titled) {
    const [title] = titles
    if (titles.size > 1) throw new Error(`one model has the titles ${[...titles].join(' and ')}`)
    if (title !== undefined && taken.has(title)) throw new Error(`two models have the title ${title}`)
    let name = title ?? derived
    for (let n = 2; taken.has(name); n++) name = derived + String(n)
    taken.add(name)
    names.set(key, name)
  }
  return names
}

function replaced(schema: Json, names: ReadonlyMap<string, string>): Json {
  if (!isObject(schema)) return schema
  const name = isNamed(schema) ? names.get(keyOf(schema)) : undefined
  return name === undefined ? membersReplaced(schema, names) : { $ref: PREFIX + name }
}

function membersReplaced(schema: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const { properties, items, anyOf, allOf, additionalProperties } = schema
  const each = (member: Json) => replaced(member, names)
  return {
    ...schema,
    ...(isObject(properties) && { properties: mapped(properties, each) }),
    ...(items !== undefined && { items: each(items) }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(each) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map(each) }),
    ...(additionalProperties !== undefined && { additionalProperties: each(additionalProperties) }),
  }
}

/** `list_alerts` as `ListAlerts`. */
function pascal(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())
}
