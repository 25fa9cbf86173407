/** A bridge identifier (IEEE 802.1D): priority and address of 12 hex digits. null: the agent reports no address. */
export interface BridgeId {
  readonly priority: number
  readonly address: string | null
}

/** `32768/00:00:5E:00:53:01`: as some agents write it. */
const WRITTEN = /^(\d{1,5})[/-]((?:[0-9a-f]{2}[:.-]?){5}[0-9a-f]{2})$/i
/** `80 00 00 00 5e 00 53 01`, `8000.0000.5e00.5301`, `800000005e005301`. */
const HEX = /^(?:[0-9a-f]{2}[ :.]?){7}[0-9a-f]{2}$/i
const NO_ADDRESS = '000000000000'

/** A BridgeId of BRIDGE-MIB, eight octets, or text. null: neither. */
export function bridgeId(octets: Uint8Array | undefined): BridgeId | null {
  if (octets === undefined) return null
  if (octets.length === 8) return fromHex(octets.toHex())
  if (octets.length > 32) return null
  const text = new TextDecoder().decode(octets).replaceAll('\0', '').trim()
  const [, priority, address] = WRITTEN.exec(text) ?? []
  if (priority !== undefined && address !== undefined)
    return Number(priority) > 0xffff ? null : idOf(Number(priority), address)
  return HEX.test(text) ? fromHex(text) : null
}

function fromHex(text: string): BridgeId {
  const digits = text.replaceAll(/[^0-9a-f]/gi, '')
  return idOf(Number.parseInt(digits.slice(0, 4), 16), digits.slice(4))
}

function idOf(priority: number, written: string): BridgeId {
  const address = written.replaceAll(/[^0-9a-f]/gi, '').toLowerCase()
  return { priority, address: address === NO_ADDRESS ? null : address }
}

/** The port identifier of two octets; null: something else. */
export function portId(octets: Uint8Array | undefined): number | null {
  return octets?.length === 2 ? ((octets[0] ?? 0) << 8) | (octets[1] ?? 0) : null
}

/**
 * Whether a port identifier is that of a bridge port: its number is in the lower 12 bits (IEEE 802.1t), in those of
 * older bridges in the lower 8.
 */
export function isOfPort(id: number, port: number): boolean {
  return (id & 0xfff) === port || (id & 0xff) === port
}
