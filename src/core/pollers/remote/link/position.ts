/** Where a part of a message belongs: `EPOCH.SEQUENCE.PART.PARTS` in its header, which the seal covers. */
export interface PartPosition {
  readonly epoch: number
  readonly sequence: number
  readonly part: number
  readonly parts: number
}

/** Maximum parts of one message: enough for MAX_PACKED with the default limit of 1 MB for a NATS message. */
const MAX_PARTS = 256

/** Null if the text is not a position. */
export function parsePosition(text: string): PartPosition | null {
  const match = /^(\d{1,15})\.(\d{1,15})\.(\d{1,4})\.(\d{1,4})$/.exec(text)
  if (match === null) return null
  const [epoch = 0, sequence = 0, part = 0, parts = 0] = match.slice(1).map(Number)
  return sequence > 0 && part < parts && parts <= MAX_PARTS ? { epoch, sequence, part, parts } : null
}
