import { parseBuilder } from '../../rules/builder.ts'
import { compile } from '../../rules/compile.ts'
import { BuilderError } from '../../rules/errors.ts'
import type { FaultRow } from '../context.ts'
import { clockWords, oneLine, spanWords } from './amounts.ts'
import { genericWords } from './generic.ts'
import { availabilityWords, billWords, deviceWords, messageWords } from './of-devices.ts'
import {
  componentWords,
  memoryWords,
  processorWords,
  sensorWords,
  serviceWords,
  storageWords,
  supplyWords,
} from './of-health.ts'
import { bgpWords, portWords, stationWords } from './of-ports.ts'
import { type RowView, type SentenceRule, viewOf } from './row-view.ts'
import { type FaultWords, words } from './words.ts'

export type { FaultWords, SentenceRule }

/** Maximum characters of a sentence. */
export const MAX_SENTENCE = 500

/** How a sentence is completed. */
export interface SentenceOptions {
  /** The device's display name, or its hostname. */
  readonly device: string
  /** When the fault began, epoch ms; null: it is unknown, or shown next to the sentence. */
  readonly since: number | null
  /** Epoch ms at which the sentence is read. */
  readonly now: number
}

/** What sentences need of a rule, from its builder as JSON text. A builder that cannot be read leaves the rule's name. */
export function sentenceRule({
  name,
  builder,
  inverted = false,
}: {
  readonly name: string
  readonly builder: string
  readonly inverted?: boolean
}): SentenceRule {
  try {
    const group = parseBuilder(builder)
    return { name, group, tables: compile(group).parts.tables, inverted }
  } catch (error) {
    if (error instanceof BuilderError) return { name, group: null, tables: [], inverted }
    throw error
  }
}

/** Own wording by table, the most specific first. */
const OWN: readonly (readonly [table: string, of: (view: RowView, now: number) => FaultWords | null])[] = [
  ['syslog', messageWords],
  ['eventlog', messageWords],
  ['mac_moves', stationWords],
  ['sightings', stationWords],
  ['bgpPeers', bgpWords],
  ['bills', billWords],
  ['services', serviceWords],
  ['component', componentWords],
  ['availability', availabilityWords],
  ['sensors', sensorWords],
  ['wireless_sensors', sensorWords],
  ['storage', storageWords],
  ['mempools', memoryWords],
  ['processors', processorWords],
  ['printer_supplies', supplyWords],
  ['ports', portWords],
  ['devices', deviceWords],
]

/** What is wrong in the row that a rule matched. `now`: epoch ms. */
export function faultWords(rule: SentenceRule, row: FaultRow, now: number): FaultWords {
  const name = oneLine(rule.name, 100)
  if (rule.inverted) return words('', `has nothing that matches “${name}”`)
  if (rule.group === null) return words(':', name === '' ? 'a rule that cannot be read' : name)
  const view = viewOf(rule, row)
  for (const [table, of] of OWN) {
    const found = view.has(table) ? of(view, now) : null
    if (found !== null) return found
  }
  return genericWords(view, rule.tables, now) ?? words(':', name)
}

/** The sentence: `sw-3 Gi1/0/17 is down since 14:02 (was up for 41 days), alias: Uplink to rack 5`. */
export function sentenceText({ subject, what, aside, also, lasts }: FaultWords, options: SentenceOptions): string {
  const { device, since, now } = options
  const when = lasts && since !== null ? ` since ${clockWords(since, now)}` : ''
  return whole(`${oneLine(device, 100)}${subject} ${what}${when}${aside === '' ? '' : ` (${aside})`}`, also)
}

/** The sentence of a fault that is over: `sw-3 Gi1/0/17 was down for 18 minutes`. Times in epoch ms; null: unknown. */
export function pastText(
  { subject, what, also, lasts }: FaultWords,
  {
    device,
    since,
    endedAt,
  }: { readonly device: string; readonly since: number | null; readonly endedAt: number | null },
): string {
  const lasted = since === null || endedAt === null || !lasts ? '' : ` for ${spanWords((endedAt - since) / 1000)}`
  return whole(`${oneLine(device, 100)}${subject} ${pastOf(what)}${lasted}`, also)
}

const PAST = { is: 'was', has: 'had', uses: 'used', loses: 'lost', answers: 'answered' } as const

const pastOf = (what: string): string =>
  what.replace(/^(is|has|uses|loses|answers) (?!been)/, (_, verb: keyof typeof PAST) => `${PAST[verb]} `)

const whole = (sentence: string, also: readonly string[]): string =>
  oneLine([sentence, ...also].join(', '), MAX_SENTENCE)

/** The sentence of a matched row. */
export function faultSentence(rule: SentenceRule, row: FaultRow, options: SentenceOptions): string {
  return sentenceText(faultWords(rule, row, options.now), options)
}
