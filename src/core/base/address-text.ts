import { addressText, type Network, parseNetwork } from '@portlight/addresses/networks.ts'

/** Part of a MAC address as hex digits, from any usual notation; null: the text is none. */
export function macPart(text: string): string | null {
  if (/^\d{1,3}(\.\d{0,3}){1,3}$/.test(text) || text.includes('/')) return null
  const hex = text.toLowerCase().replaceAll(/[:.\-\s]/g, '')
  const least = /[:\-.]/.test(text) ? 3 : 4
  return /^[0-9a-f]{3,12}$/.test(hex) && hex.length >= least ? hex : null
}

/** What addresses are searched for: a network (a single address is one, too), or IPv4 addresses that begin so. */
export type AddressPart = { readonly network: Network; readonly text: string } | { readonly begin: string }

/** The addresses that a text means; null: it is none. */
export function addressPart(text: string): AddressPart | null {
  const network = parseNetwork(text)
  if (network !== null) return { network, text: `${addressText(network.octets)}/${network.bits}` }
  return /^\d{1,3}(\.\d{1,3}){0,3}\.?$/.test(text) && (text.includes('.') || text.length === 3) ? { begin: text } : null
}
