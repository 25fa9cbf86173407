import { isObject, type Json, type JsonObject } from './json.ts'

/** An operation before it is put under its path. */
export interface Placed {
  readonly path: string
  readonly method: string
  readonly described: JsonObject
}

/**
 * The operations by path, sorted. Paths that differ only in the names of their parameters are one path in OpenAPI: the
 * parameter then has both names, `/services/{hostname_or_service_id}`, and each operation says which it takes.
 */
export function sharedPaths(operations: readonly Placed[]): JsonObject {
  const forms = Map.groupBy(operations, ({ path }) => path.replaceAll(/\{\w+\}/g, '{}'))
  const items = [...forms.values()].map((same) => {
    const path = joined(same.map((operation) => operation.path))
    const item = Object.fromEntries(
      same.map((operation) => [operation.method, renamed(operation.described, operation.path, path)]),
    )
    return [path, item] as const
  })
  return Object.fromEntries(items.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** One path for all of them, which differ only in names of parameters. */
function joined(paths: readonly string[]): string {
  const [first = ''] = paths
  const names = paths.map(namesIn)
  let at = 0
  return first.replaceAll(/\{\w+\}/g, () => {
    const choices = [...new Set(names.map((of) => of[at] ?? ''))].toSorted()
    at++
    return `{${choices.join('_or_')}}`
  })
}

/** The operation with its path parameters named as in `to`, and described by their own names. */
function renamed(described: JsonObject, from: string, to: string): JsonObject {
  if (from === to) return described
  const after = namesIn(to)
  const names = new Map(namesIn(from).map((name, i) => [name, after[i] ?? name]))
  const parameters = Array.isArray(described['parameters']) ? described['parameters'] : []
  return { ...described, parameters: parameters.map((parameter) => renamedParameter(parameter, names)) }
}

function renamedParameter(parameter: Json, names: ReadonlyMap<string, string>): Json {
  if (!isObject(parameter) || parameter['in'] !== 'path') return parameter
  const before = String(parameter['name'])
  const name = names.get(before) ?? before
  return name === before ? parameter : { ...parameter, name, description: `Takes a ${before}` }
}
