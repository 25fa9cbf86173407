/** What a source can look up about the device's interfaces. */
export interface Interfaces {
  /** ifIndex by entity, from ENTITY-MIB's alias mapping. */
  readonly ofEntity: ReadonlyMap<number, number>
  /** ifIndex by ifName; empty unless the source needs names. */
  readonly byName: ReadonlyMap<string, number>
}
