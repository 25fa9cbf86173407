import { type FaultRow, MAX_SHOWN_FAULTS, summarised } from './context.ts'
import { faultWords, type SentenceRule, sentenceText, shortText } from './sentences/sentence.ts'

/** A rule whose faults are described. */
export interface DescribingRule {
  readonly compared: readonly string[]
  readonly sentence: SentenceRule
}

export interface DescribeOptions {
  readonly device: { readonly display: string; readonly hostname: string }
  /** Epoch seconds at which the fault of a row began, in the order of the rows; undefined: unknown. */
  readonly since: readonly (number | undefined)[]
  /** Epoch ms. */
  readonly now: number
}

/** Faults as notifications show them. */
export interface DescribedFaults {
  /** At most MAX_SHOWN_FAULTS, each with `sentence`, and for templates written for LibreNMS `string`. */
  readonly rows: readonly FaultRow[]
  /** What is wrong, `sw-3 Gi1/0/17 is down`; null: there is not exactly one row. */
  readonly problem: string | null
}

/** Describes matched rows. */
export function describedFaults(
  rule: DescribingRule,
  rows: readonly FaultRow[],
  { device, since, now }: DescribeOptions,
): DescribedFaults {
  const name = nameOf(device)
  const parts = rows.slice(0, MAX_SHOWN_FAULTS).map((row) => [row, faultWords(rule.sentence, row, now)] as const)
  const [only] = parts
  return {
    rows: parts.map(([row, words], i) => {
      const began = since[i]
      const options = { device: name, since: began === undefined ? null : began * 1000, now }
      return { ...summarised(row, rule.compared), sentence: sentenceText(words, options) }
    }),
    problem: rows.length === 1 && only !== undefined ? shortText(only[1], name) : null,
  }
}

/** The name that people give a device. */
export const nameOf = ({ display, hostname }: DescribeOptions['device']): string =>
  display === '' ? hostname : display
