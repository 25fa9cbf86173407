/**
 * A MAC address as stored: 12 lower-case hex digits. Accepts the usual forms (`00:1A:…`, `00-1a-…`, `001a.2b3c.…`,
 * groups without leading zeros, bare digits); null when it does not have six octets.
 */
export function parseMac(text: string): string | null {
  const trimmed = text.trim().toLowerCase()
  const groups = trimmed.split(/[:\- ]/)
  if (groups.length === 6 && groups.every((group) => /^[0-9a-f]{1,2}$/.test(group))) {
    return groups.map((group) => group.padStart(2, '0')).join('')
  }
  const digits = trimmed.replaceAll('.', '')
  return /^[0-9a-f]{12}$/.test(digits) ? digits : null
}

/** A MAC address of 12 hex digits, or the beginning of one, as people write it: `4c:14:a3:00:00:01`. */
export const colons = (mac: string): string => mac.replaceAll(/(..)(?=.)/g, '$1:')
