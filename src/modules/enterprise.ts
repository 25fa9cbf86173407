/** sysObjectID below Dell's node for OS10, which shares the enterprise number with other systems of the maker. */
export const OS10 = '674.11000.5000.100.2'

/** Whether a sysObjectID is below the node of an enterprise (`9`, Cisco) or one further down, by IANA's private enterprise numbers. */
export function isFrom(sysObjectID: string | null, enterprise: string): boolean {
  const node = `1.3.6.1.4.1.${enterprise}`
  const id = sysObjectID?.replace(/^\./, '')
  return id === node || id?.startsWith(`${node}.`) === true
}
