/** 4095 is reserved (IEEE 802.1Q), but some agents use it for a control VLAN. */
const MAX_VLAN = 4095

/** Whether it is the number of a VLAN; agents also send 0 and numbers of 32 bits. */
export function isVlan(number: number | undefined): number is number {
  return Number.isInteger(number) && (number ?? 0) >= 1 && (number ?? 0) <= MAX_VLAN
}
