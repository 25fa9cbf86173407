import { oneLine } from '../../../../lib/one-line.ts'

/** Members of an ID token or of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

const MAX_TEXT = 255

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

/**
 * Groups or roles in a claim: a text, a list of texts, or the names of an object's members. All of them: the one that
 * gives a role may be the last of thousands.
 */
export function valuesOf(claim: unknown): readonly string[] {
  if (typeof claim === 'string') return [claim]
  const list: readonly unknown[] = Array.isArray(claim) ? claim : isMembers(claim) ? Object.keys(claim) : []
  return list.filter((value) => typeof value === 'string')
}

/** Roles to which setting `auth.oidc.roles` maps the values of the claim, each once. */
export function mappedRoles(values: readonly string[], map: unknown): readonly string[] {
  if (!isMembers(map)) return []
  const roles = values.flatMap((value) => (Object.hasOwn(map, value) ? valuesOf(map[value]) : []))
  return [...new Set(roles)].sort()
}

/** A claim as text to show: one line of at most 255 characters; '' if it is missing or not text. */
export function textClaim(claims: Claims, name: string): string {
  return oneLine(givenText(claims, name).slice(0, MAX_TEXT).toWellFormed())
}

/** Whether the claim is the same as `textClaim`: what was changed for showing names somebody else. */
export function isExact(claims: Claims, name: string): boolean {
  return givenText(claims, name) === textClaim(claims, name)
}

function givenText(claims: Claims, name: string): string {
  const value = claimAt(claims, name)
  return typeof value === 'string' ? value.trim() : ''
}

/** The email address, if the provider states that it has verified it; '' otherwise. */
export function verifiedEmail(claims: Claims): string {
  // some providers send the boolean as text
  const verified = claims['email_verified'] === true || claims['email_verified'] === 'true'
  return verified && isExact(claims, 'email') ? textClaim(claims, 'email') : ''
}

function isMembers(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
