import { decoded, formDecoded, rawPath } from '../../path.ts'

/** What stands after `/devices/:hostname/ports/`. `type` null: no graph is asked for. */
export interface PortPath {
  readonly ifname: string
  readonly type: string | null
}

/** Segments before the interface name: api, v0, devices, hostname, ports. */
const BEFORE = 5

/**
 * Interface name and graph type of a path, from its still encoded form: `Gi0%2F1` is one name, `Gi0/1/port_bits` is
 * `Gi0` with type `1`. Where the decoded rest has a slash the name is form-decoded, so that `+` is a space.
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

/** What stands after `/ports/search/:field/`, slashes included, decoded. */
export function searchText(url: string): string {
  const rest = rawPath(url)
    .split('/')
    .slice(BEFORE + 1)
  return decoded(rest.join('/')) ?? ''
}
