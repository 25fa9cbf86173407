import { parseKeys, type SecretKey } from './codec.ts'

/** A text with one or more keys, and its name in messages. */
export interface KeySource {
  readonly text: string
  readonly source: string
}

/** The keys of this thread, used by all of its stores. The first is the one to encrypt with. */
let ring: readonly SecretKey[] = []
let given: readonly KeySource[] = []

/** Replaces the keys of this thread. Throws SecretKeyError when a text contains something else. */
export function useSecretKeys(sources: readonly KeySource[]): void {
  const keys = sources.flatMap(({ text, source }) => parseKeys(text, source))
  ring = keys.filter(({ id }, i) => keys.findIndex((other) => other.id === id) === i)
  given = sources
}

export function secretKeys(): readonly SecretKey[] {
  return ring
}

/** What `useSecretKeys` was given, for another thread. */
export function secretKeySources(): readonly KeySource[] {
  return given
}
