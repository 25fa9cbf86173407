/** Schemas whose tables are backed up. Partitions are read through their table, wherever they are. */
export const SCHEMAS = ['public', 'ts']

/** A name or names, quoted for SQL. */
export function quoted(...names: readonly string[]): string {
  return names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')
}
