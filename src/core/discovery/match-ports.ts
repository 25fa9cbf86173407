/** `devices.port_association_mode`: what identifies a port when ifIndexes change. */
export type AssociationMode = 'ifIndex' | 'ifName' | 'ifDescr' | 'ifAlias'

/** The mode for the number in the record; unknown numbers mean ifIndex. */
export function associationMode(mode: number): AssociationMode {
  return (['ifIndex', 'ifIndex', 'ifName', 'ifDescr', 'ifAlias'] as const)[mode] ?? 'ifIndex'
}

/** What identifies a port, stored or seen. */
export interface PortIdentity {
  readonly ifIndex: number | null
  readonly ifName?: string | null | undefined
  readonly ifDescr?: string | null | undefined
  readonly ifAlias?: string | null | undefined
}

export interface StoredIdentity extends PortIdentity {
  readonly port_id: number
  readonly deleted: number
}

/**
 * Which stored port each discovered interface is: `result[i]` for `seen[i]`, null for a new port. Each stored port is
 * used once. Names are not unique on real devices, so ports with the same name are matched by ifIndex first and by
 * order second. Without a name on either side (the agent reports none, or the walk was truncated) the ifIndex decides.
 * Live ports are matched before deleted ones, so a reused name does not revive a deleted port. An ifAlias is a text that
 * people change, so a port whose other names are the same at the same ifIndex is still the same port.
 */
export function matchPorts<S extends StoredIdentity>(
  mode: AssociationMode,
  stored: readonly S[],
  seen: readonly PortIdentity[],
): readonly (S | null)[] {
  const matched = new Array<S | null>(seen.length).fill(null)
  const taken = new Set<number>()
  const ordered = [...stored].sort((a, b) => a.deleted - b.deleted || a.port_id - b.port_id)
  for (const keyOf of [exactKey, nameKey]) {
    const byKey = new Map<string, S[]>()
    for (const port of ordered) {
      const key = keyOf(mode, port)
      if (key === null || taken.has(port.port_id)) continue
      const list = byKey.get(key)
      if (list === undefined) byKey.set(key, [port])
      else list.push(port)
    }
    seen.forEach((row, i) => {
      if (matched[i] !== null) return
      const key = keyOf(mode, row)
      const port = key === null ? undefined : byKey.get(key)?.shift()
      if (port === undefined) return
      matched[i] = port
      taken.add(port.port_id)
    })
  }
  if (mode !== 'ifIndex') matchByIndex(mode, ordered, seen, matched, taken)
  return matched
}

/** Matches what is left by ifIndex, where the names allow it. */
function matchByIndex<S extends StoredIdentity>(
  mode: Exclude<AssociationMode, 'ifIndex'>,
  ordered: readonly S[],
  seen: readonly PortIdentity[],
  matched: (S | null)[],
  taken: Set<number>,
): void {
  const left = new Map<number | null, S>()
  for (const port of ordered) {
    if (!taken.has(port.port_id) && !left.has(port.ifIndex)) left.set(port.ifIndex, port)
  }
  seen.forEach((row, i) => {
    const port = left.get(row.ifIndex)
    if (matched[i] !== null || port === undefined) return
    const named = nameOf(mode, row) !== null && nameOf(mode, port) !== null
    if (named && !(mode === 'ifAlias' && isSame(row, port))) return
    matched[i] = port
    left.delete(row.ifIndex)
  })
}

function isSame(row: PortIdentity, port: PortIdentity): boolean {
  return Boolean(row.ifName) && row.ifName === port.ifName && row.ifDescr === port.ifDescr
}

/** Name and ifIndex; only the ifIndex if that is the mode or there is no name. */
function exactKey(mode: AssociationMode, port: PortIdentity): string | null {
  const name = mode === 'ifIndex' ? null : nameOf(mode, port)
  return port.ifIndex === null ? null : `${port.ifIndex} ${name ?? ''}`
}

/** Only the name, whatever the ifIndex. */
function nameKey(mode: AssociationMode, port: PortIdentity): string | null {
  return mode === 'ifIndex' ? null : nameOf(mode, port)
}

function nameOf(mode: Exclude<AssociationMode, 'ifIndex'>, port: PortIdentity): string | null {
  return port[mode] || null
}
