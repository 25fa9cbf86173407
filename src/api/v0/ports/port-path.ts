import { decoded, formDecoded, rawPath } from '../../path.ts'

/** The path after `/devices/:hostname/ports/`. `type` null: no graph requested. */
export interface PortPath {
  readonly ifname: string
  readonly type: string | null
}

/** Segments before the interface name: api, v0, devices, hostname, ports. */
const BEFORE = 5

/**
 * Parses interface name and graph type from the encoded path: `Gi0%2F1` is one name, `Gi0/1/port_bits` is `Gi0` with type
 * `1`. If the decoded rest has a slash the name is form-decoded, so `+` is a space.
 * Source: contract BEHAVIOUR.md 4.
 */
export function portPath(url: string): PortPath {
  const rest = rawPath(url)
    .split('/')
    .slice(BEFORE + 1)
  const [name = '', type] = rest
  const whole = decoded(rest.join('/')) ?? ''
  const ifname = whole.includes('/') ? formDecoded(name) : decoded(name)
  return { ifname: ifname ?? name, type: type === undefined || type === '' ? null : (decoded(type) ?? type) }
}

/** The decoded path after `/ports/search/:field/`, including slashes. */
export function searchText(url: string): string {
  const rest = rawPath(url)
    .split('/')
    .slice(BEFORE + 1)
  return decoded(rest.join('/')) ?? ''
}
