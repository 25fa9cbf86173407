import type { Db } from './client.ts'

/**
 * A query that is built once per `Db` and, if `build` ends in `.prepare(name)`, parsed and planned once per connection.
 * For queries of every request: rebuilding them each time takes about three times as long.
 */
export function prepared<Q>(build: (db: Db) => Q): (db: Db) => Q {
  const built = new WeakMap<Db, Q>()
  return (db) => {
    let query = built.get(db)
    if (query === undefined) {
      query = build(db)
      built.set(db, query)
    }
    return query
  }
}

/** Adds a value to a statement and returns its placeholder. */
export type Parameter = (value: string | number) => string

/** Collects the values of a statement that is assembled as text. */
export function parameters(): { readonly values: (string | number)[]; readonly parameter: Parameter } {
  const values: (string | number)[] = []
  return { values, parameter: (value) => `$${values.push(value)}` }
}

/**
 * Decides which statement texts to prepare where clients choose parts of the text: only the first `max`, because every
 * connection keeps its prepared statements.
 */
export function preparedTexts(max: number): (text: string) => boolean {
  const texts = new Set<string>()
  return (text) => {
    if (texts.size < max) texts.add(text)
    return texts.has(text)
  }
}
