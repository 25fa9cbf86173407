/** Component types that discovery owns. All others belong to the client that stored them. */
export const DISCOVERED_TYPES = ['f5-ltm-pool', 'f5-ltm-poolmember', 'f5-ltm-vs', 'f5-ltm-bwc'] as const

/** A component of a device. `uid` identifies it within its type and stays the same if the label changes. */
export interface ComponentRow {
  readonly type: (typeof DISCOVERED_TYPES)[number]
  readonly uid: string
  readonly label: string
  /** 0 ok, 1 warning, 2 critical. */
  readonly status: 0 | 1 | 2
  /** What is wrong; '' if nothing is. */
  readonly error: string
  readonly attributes: Readonly<Record<string, string>>
}
