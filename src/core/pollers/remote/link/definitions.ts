import { isRecord, MessageError } from './checks.ts'

/** Definitions that were added at the centre, for its remote pollers. */
export interface DefinitionsBundle {
  /** Changes with the definitions. */
  readonly id: string
  /** Reads the definitions; called only to send them. */
  octets(): Uint8Array
}

/** Key of the entry that identifies the current definitions; their parts are `definitions.0` and so on. */
export const DEFINITIONS_KEY = 'definitions'
/** Bytes of one part, which must fit into a NATS message after encoding. */
const PART_OCTETS = 512 * 1024
const MAX_PARTS = 64

export function isDefinitionsKey(key: string): boolean {
  return key === DEFINITIONS_KEY || /^definitions\.\d{1,2}$/.test(key)
}

/** The bucket entries for these definitions, in the order to write them. Throws RangeError if they are too large. */
export function definitionEntries({
  id,
  octets,
}: DefinitionsBundle): readonly (readonly [key: string, value: unknown])[] {
  const all = octets()
  const parts = Math.ceil(all.length / PART_OCTETS)
  if (parts > MAX_PARTS) throw new RangeError(`the added definitions take ${all.length} bytes, too many for a bucket`)
  const texts = Array.from({ length: parts }, (_, i) =>
    Buffer.from(all.subarray(i * PART_OCTETS, (i + 1) * PART_OCTETS)).toString('base64'),
  )
  return [
    ...texts.map((text, i) => [`${DEFINITIONS_KEY}.${i}`, { id, text }] as const),
    [DEFINITIONS_KEY, { id, parts }],
  ]
}

/** What the centre writes when it no longer has added definitions. */
export const NO_DEFINITIONS = { id: '', parts: 0 } as const

/** Assembles definitions from bucket entries in any order, then calls `install`; with null if the centre has none. */
export function assembleDefinitions(install: (bundle: { id: string; octets: Uint8Array } | null) => void): {
  /** Throws MessageError, or what `install` throws. */
  take(key: string, value: unknown): void
} {
  const texts = new Map<string, { readonly id: string; readonly text: string }>()
  let wanted: { readonly id: string; readonly parts: number } | null = null

  return {
    take(key, value) {
      const { id, parts, text } = isRecord(value) ? value : {}
      if (typeof id !== 'string') throw new MessageError('garbled', 'the definitions are garbled')
      if (key !== DEFINITIONS_KEY) {
        if (typeof text !== 'string') throw new MessageError('garbled', 'a part of the definitions is garbled')
        texts.set(key, { id, text })
      } else if (typeof parts !== 'number' || !(parts >= 0 && parts <= MAX_PARTS)) {
        throw new MessageError('garbled', 'the definitions are garbled')
      } else wanted = { id, parts }
      if (wanted === null) return
      const now = wanted
      const own = Array.from({ length: now.parts }, (_, i) => texts.get(`${DEFINITIONS_KEY}.${i}`))
      if (!own.every((part) => part?.id === now.id)) return
      wanted = null
      texts.clear()
      const octets = Buffer.concat(own.map((part) => Buffer.from(part?.text ?? '', 'base64')))
      install(now.parts === 0 ? null : { id: now.id, octets })
    },
  }
}
