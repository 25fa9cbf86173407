import { isIP } from 'node:net'
import { isHostname } from '../devices/hostname.ts'

/** What a name can be made of. */
export interface Nameable {
  readonly address: string | null
  /** sysName, or the name that neighbours give. */
  readonly sysName: string | null
  /** The name in the DNS; null: none. */
  readonly reverse: string | null
}

/** Ways to name a device that is added. */
export const NAME_KINDS = ['dns', 'sysname', 'address'] as const
export type NameBy = (typeof NAME_KINDS)[number]

/**
 * The hostname of a device that is added: of the wanted kind, or the next one that it has in the order DNS, sysName,
 * address. null: it has none of them.
 */
export function nameOf({ address, sysName, reverse }: Nameable, by: NameBy, domain: string): string | null {
  const names = { dns: usable(reverse), sysname: withDomain(usable(sysName), domain), address }
  const order: readonly NameBy[] =
    by === 'address' ? ['address'] : by === 'sysname' ? ['sysname', 'address'] : ['dns', 'sysname', 'address']
  for (const kind of order) if (names[kind] !== null) return names[kind]
  return null
}

function usable(name: string | null): string | null {
  const text = name?.trim().replace(/\.$/, '').toLowerCase() ?? ''
  return text !== '' && isIP(text) === 0 && isHostname(text) ? text : null
}

/** A short name with setting mydomain. */
export function withDomain(name: string | null, domain: string): string | null {
  return name === null || domain === '' || name.includes('.') ? name : `${name}.${domain.toLowerCase()}`
}
