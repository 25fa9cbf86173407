/** Prefix of API v0. */
export const V0 = '/api/v0'
/** Prefix of API v1. */
export const V1 = '/api/v1'

/** Whether the path is the prefix or below it. */
export function isUnder(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path[prefix.length] === '/')
}
