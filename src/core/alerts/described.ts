import { calledDevice, type NamedDevice } from '../base/device-name.ts'
import { type FaultRow, MAX_SHOWN_FAULTS, type ShownFault, summarised } from './context.ts'
import type { EngineFault } from './faults/evolve.ts'
import {
  faultSentence,
  faultWords,
  pastTitle,
  type SentenceRule,
  sentenceText,
  shortText,
  withTimes,
} from './sentences/sentence.ts'

/** A rule whose faults are described. */
export interface DescribingRule {
  readonly compared: readonly string[]
  readonly sentence: SentenceRule
}

export interface DescribeOptions {
  readonly device: NamedDevice
  /** Epoch seconds at which the fault of a row began, in the order of the rows; undefined: unknown. */
  readonly since: readonly (number | undefined)[]
  /** Epoch ms. */
  readonly now: number
}

/** At most MAX_SHOWN_FAULTS rows with what is wrong in `sentence`, and `string` for templates written for LibreNMS. */
export function describedFaults(
  rule: DescribingRule,
  rows: readonly FaultRow[],
  { device, since, now }: DescribeOptions,
): FaultRow[] {
  return rows.slice(0, MAX_SHOWN_FAULTS).map((row, i) => {
    const began = since[i]
    const options = { device: calledDevice(device), since: began === undefined ? null : began * 1000, now }
    return { ...summarised(row, rule.compared), sentence: faultSentence(rule.sentence, row, options) }
  })
}

/** The faults that a notification is about. */
export interface NotifiedFaults {
  readonly began: readonly EngineFault[]
  readonly ended: readonly EngineFault[]
}

export interface TellOptions {
  readonly device: NamedDevice
  /** The rows of the evaluation; none if the rule was not evaluated. */
  readonly rows: readonly FaultRow[]
  /** The row of a fault now; null: unknown. */
  readonly rowOf: (key: string) => FaultRow | null
  /** Epoch ms. */
  readonly now: number
}

/** The faults of a notification in words, and what it is about if that is one fault. */
export function toldFaults(
  rule: DescribingRule,
  { began, ended }: NotifiedFaults,
  { device, rows, rowOf, now }: TellOptions,
): {
  readonly problem: string | null
  readonly began: readonly ShownFault[]
  readonly ended: readonly ShownFault[]
} {
  const name = calledDevice(device)
  const short = (row: FaultRow) => shortText(faultWords(rule.sentence, row, now), name)
  const shown = (fault: EngineFault): ShownFault => {
    const { key, subject, message, severity, beganAt, endedAt } = fault
    const row = endedAt === null ? rowOf(key) : null
    const sentence =
      row === null
        ? withTimes(message, { device: name, began: beganAt, ended: endedAt, now })
        : sentenceText(faultWords(rule.sentence, row, now), { device: name, since: beganAt, now })
    const of = { key, kind: subject.kind, subject_id: subject.id, severity }
    return { ...of, message, sentence, began_at: beganAt, ended_at: endedAt }
  }
  const [first, last, only] = [began[0], ended[0], rows[0]]
  const problem = (): string | null => {
    if (began.length + ended.length > 1) return null
    if (last !== undefined) return pastTitle(last.message, name)
    if (first === undefined) return rows.length === 1 && only !== undefined ? short(only) : null
    const row = rowOf(first.key)
    return row === null ? first.message : short(row)
  }
  return { problem: problem(), began: began.map(shown), ended: ended.map(shown) }
}
