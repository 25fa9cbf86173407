/** Members of an ID token or of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

/** Maximum number of values of the roles claim; further ones are ignored. */
const MAX_VALUES = 1000
const MAX_NAME = 255

/** The claim with this name, or at this path of member names joined by dots; undefined if there is none. */
export function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name] // names may be URLs
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (!isMembers(value) || !Object.hasOwn(value, part)) return undefined
    value = value[part]
  }
  return value
}

/** Groups or roles in a claim: a text, a list of texts, or the names of an object's members. */
export function valuesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return [claim]
  const list: readonly unknown[] = Array.isArray(claim) ? claim : isMembers(claim) ? Object.keys(claim) : []
  return list.slice(0, MAX_VALUES).filter((value) => typeof value === 'string')
}

/** Roles to which setting `auth.oidc.roles` maps the values of the claim, each once. */
export function mappedRoles(values: readonly string[], map: unknown): readonly string[] {
  if (!isMembers(map)) return []
  const roles = values.flatMap((value) => (Object.hasOwn(map, value) ? valuesOf(map[value]) : []))
  return [...new Set(roles)].sort()
}

/** A claim as text of at most 255 characters; '' if it is missing or not text. */
export function textClaim(claims: Claims, name: string): string {
  const value = claimAt(claims, name)
  return typeof value === 'string' ? value.trim().slice(0, MAX_NAME).toWellFormed().replaceAll('\0', '') : ''
}

/** The email address, if the provider states that it has verified it; '' otherwise. */
export function verifiedEmail(claims: Claims): string {
  // some providers send the boolean as text
  const verified = claims['email_verified'] === true || claims['email_verified'] === 'true'
  return verified ? textClaim(claims, 'email') : ''
}

function isMembers(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
