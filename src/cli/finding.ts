/** Result of one check of `doctor`. `note`: it works, but could be better. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'bad'
  readonly what: string
  readonly text: string
  /** The figures behind the text, for `--json`. */
  readonly figures?: unknown
}
