import type { MapLink } from '../../../core/lists/network-service.ts'

/** All links between two devices, drawn as one line. */
export interface Edge {
  /** `a-b`, the lower id first. */
  readonly key: string
  readonly a: number
  readonly b: number
  readonly links: readonly MapLink[]
  /** The link that is down or most used. */
  readonly worst: MapLink
  /** Utilisation of the worst link in its busier direction, percent; null: unknown. */
  readonly used: number | null
  readonly down: boolean
  /** Total speed of the links, bit/s; null: none is known. */
  readonly speed: number | null
}

/** Utilisation in the busier direction, percent; null: unknown. */
export function usedOf({ in_bps, out_bps, speed }: MapLink): number | null {
  if (speed === null || speed <= 0 || (in_bps === null && out_bps === null)) return null
  return (Math.max(in_bps ?? 0, out_bps ?? 0) / speed) * 100
}

const rank = (link: MapLink) => (link.down ? 1e9 : (usedOf(link) ?? -1))

/** Links, with those reported by both ends counted once; worst first. */
export function distinctLinks(links: readonly MapLink[]): MapLink[] {
  const known = new Map<string, MapLink>()
  for (const link of links) {
    const ends = [link.port_id ?? `${link.a} ?`, link.remote_port_id ?? `${link.b} ${link.remote_port}`]
    const key = ends.map(String).sort().join(' ')
    const other = known.get(key)
    if (other === undefined || rank(link) > rank(other)) known.set(key, link)
  }
  return [...known.values()].sort((x, y) => rank(y) - rank(x) || x.id - y.id)
}

/** One edge for each pair of devices, worst first. */
export function edgesOf(links: readonly MapLink[]): Edge[] {
  const pairs = Map.groupBy(distinctLinks(links), ({ a, b }) => `${Math.min(a, b)}-${Math.max(a, b)}`)
  return [...pairs].flatMap(([key, members]) => {
    const [worst] = members
    if (worst === undefined) return []
    const speeds = members.flatMap(({ speed }) => (speed === null ? [] : [speed]))
    return [
      {
        key,
        a: Math.min(worst.a, worst.b),
        b: Math.max(worst.a, worst.b),
        links: members,
        worst,
        used: usedOf(worst),
        down: worst.down,
        speed: speeds.length === 0 ? null : speeds.reduce((x, y) => x + y, 0),
      },
    ]
  })
}

/** CSS class of a line, by utilisation. */
export function edgeClass({ used, down }: Pick<Edge, 'used' | 'down'>): string {
  if (down) return 'e dead'
  if (used === null || used < 5) return 'e u0'
  return used < 25 ? 'e u1' : used < 50 ? 'e u2' : used < 80 ? 'e u3' : 'e u4'
}

/** Label of a line. */
export const edgeText = ({ used, down }: Pick<Edge, 'used' | 'down'>): string =>
  down ? 'down' : used === null ? '' : `${Math.round(used)} %`
