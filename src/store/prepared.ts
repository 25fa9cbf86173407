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

/** Takes a value of a statement and returns its placeholder. */
export type Parameter = (value: string | number) => string

/** The values of a statement that is put together as text. */
export function parameters(): { readonly values: (string | number)[]; readonly parameter: Parameter } {
  const values: (string | number)[] = []
  return { values, parameter: (value) => `$${values.push(value)}` }
}

/**
 * Which texts may be prepared, where clients choose parts of them: prepared statements stay in every connection, so only the
 * first `max` texts.
 */
export function preparedTexts(max: number): (text: string) => boolean {
  const texts = new Set<string>()
  return (text) => {
    if (texts.size < max) texts.add(text)
    return texts.has(text)
  }
}
