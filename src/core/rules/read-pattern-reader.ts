import type { Sql } from '../database/client.ts'

/** Regular expressions that PostgreSQL refuses, with its reason. Throws StoreError. */
export async function brokenPatterns(sql: Sql, patterns: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
  const broken = new Map<string, string>()
  for (const pattern of patterns) {
    try {
      await sql`select '' ~* ${pattern}`
    } catch (error) {
      const { code, message = '' } = error as { code?: string; message?: string }
      // 2201B: invalid_regular_expression
      if (code === '2201B') broken.set(pattern, message.replace(/^invalid regular expression: /, ''))
      else throw error
    }
  }
  return broken
}
