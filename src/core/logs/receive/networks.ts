import { BlockList, isIP, isIPv6 } from 'node:net'

/** Returns a test whether an address is in a list of addresses and networks. Invalid entries are ignored. */
export function networksOf(list: readonly string[]): (address: string) => boolean {
  const blocks = new BlockList()
  for (const entry of list) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 0 ? null : isIPv6(address) ? 'ipv6' : 'ipv4'
    if (family === null) continue
    if (prefix === undefined) blocks.addAddress(address, family)
    else blocks.addSubnet(address, Number(prefix), family)
  }
  return (address) => isIP(address) > 0 && blocks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
