import { isIP } from 'node:net'

const LABEL = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,62}$/

/**
 * Whether the text is a host: an IPv4 or IPv6 address, or labels of letters, digits, hyphens and underscores (1 to 63
 * characters each, none beginning with a hyphen), at most 253 characters in all, with an optional trailing dot.
 */
export function isHostname(text: string): boolean {
  if (isIP(text) !== 0) return !text.includes('%')
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  if (name.length === 0 || name.length > 253) return false
  return name.split('.').every((label) => LABEL.test(label))
}
