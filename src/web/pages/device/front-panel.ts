/** A port on the front panel. `label` is what its own name calls it: 16 for Gi1/0/16. */
export interface PanelPort<P> {
  readonly port: P
  readonly label: string
}

/** Ports whose names begin alike, such as those of one member of a stack; `prefix` is that beginning. */
export interface PanelRow<P> {
  readonly prefix: string
  readonly ports: readonly PanelPort<P>[]
}

/** Longer texts do not fit into a port. */
const MAX_LABEL = 7
/** From this many rows with one port each, the rows say nothing, and the whole position is the label. */
const MANY = 3

interface Position {
  readonly prefix: string
  /** `1/0/16`, or a shortened name if it has no number. */
  readonly path: string
  readonly last: string
}

/** The position that a name ends with; a number that follows the word `port` comes before any other. */
function positionOf(name: string): Position {
  const named = /^(.*\bport[\s:#]*)(\d+)\b/i.exec(name)
  const [, prefix = '', path = ''] = named ?? /^(.*?)(\d+(?:[/.:-]\d+)*)\D*$/s.exec(name) ?? []
  if (path === '') return { prefix: '', path: name.slice(0, MAX_LABEL), last: name.slice(0, MAX_LABEL) }
  const cut = /^(.*[/.:-])?(\d+)$/.exec(path)
  return { prefix: `${prefix}${cut?.[1] ?? ''}`, path, last: cut?.[2] ?? path }
}

/**
 * Ports by the position that their names give, in rows of names that begin alike and in order of their numbers. Ports
 * without a number have their name.
 */
export function panelOf<P extends { readonly ifName: string | null; readonly ifDescr: string | null }>(
  ports: readonly P[],
): readonly PanelRow<P>[] {
  const placed = ports.map((port) => ({ port, at: positionOf((port.ifName || port.ifDescr || '').slice(0, 200)) }))
  const rows = [...Map.groupBy(placed, ({ at }) => at.prefix)]
  const single = rows.filter(([, members]) => members.length === 1).length
  if (single > MANY && single * 2 > rows.length) {
    const labelled = placed.map(({ port, at }) => ({ port, label: at.path.slice(-MAX_LABEL) }))
    return [{ prefix: '', ports: labelled }]
  }
  return rows.map(([prefix, members]) => ({
    prefix,
    ports: members
      .toSorted((a, b) => Number(a.at.last) - Number(b.at.last) || 0)
      .map(({ port, at }) => ({ port, label: at.last.slice(-MAX_LABEL) })),
  }))
}
