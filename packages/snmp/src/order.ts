import { compareOid, encodeOid } from './oid.ts'

const AFTER_BEGINNING = encodeOid('1.3.6.1.2.1.2')

/** Whether an agent that steps back to this OID only begins again with its first objects, having come to its end. */
export function isBeginning(bytes: Uint8Array, start: number, end: number): boolean {
  return compareOid(bytes, start, end, AFTER_BEGINNING, 0, AFTER_BEGINNING.length) < 0
}

/** Whether the OID after the end of a walk is one before it, so the agent's OIDs do not increase. */
export function leadsBack(root: string, after: string): boolean {
  const [from, to] = [encodeOid(root), encodeOid(after)]
  return compareOid(to, 0, to.length, from, 0, from.length) < 0 && !isBeginning(to, 0, to.length)
}
