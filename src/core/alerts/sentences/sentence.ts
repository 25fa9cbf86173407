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
import { qosWords } from './of-qos.ts'
import { timeWords } from './of-time.ts'
import { isisWords, treePortWords, treeWords } from './of-topology.ts'
import { type RowView, type SentenceRule, viewOf } from './row-view.ts'
import { type FaultWords, words } from './words.ts'

export type { FaultWords, SentenceRule }

/** Maximum characters of a sentence. */
export const MAX_SENTENCE = 500

/** How a sentence is completed. */
export interface SentenceOptions {
  /** The device's name in sentences: see calledDevice. */
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
  ['isis_adjacencies', isisWords],
  ['stp', treeWords],
  ['ports_stp', treePortWords],
  ['qos_classes', qosWords],
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
  const overTime = timeWords(view, rule.tables, now)
  if (overTime !== null) return overTime
  for (const [table, of] of OWN) {
    const found = view.has(table) ? of(view, now) : null
    if (found !== null) return found
  }
  const known = genericWords(view, rule.tables, now)
  if (known !== null) return known
  return name === '' ? words('', 'matches') : words(':', name)
}

/** The sentence: `sw-3 Gi1/0/17 is down since 14:02 (was up for 41 days), alias: Uplink to rack 5`. */
export function sentenceText({ subject, what, aside, also, lasts }: FaultWords, options: SentenceOptions): string {
  const { device, since, now } = options
  const when = lasts && since !== null ? ` since ${clockWords(since, now)}` : ''
  return whole(`${oneLine(device, 100)}${subject} ${what}${when}${aside === '' ? '' : ` (${aside})`}`, also)
}

/** Verbs of predicates, and their past. */
const PAST: Readonly<Record<string, string>> = {
  is: 'was',
  has: 'had',
  uses: 'used',
  loses: 'lost',
  answers: 'answered',
}

/** A stored sentence of a fault that is over: `sw-3 Gi1/0/17 was down, alias: Uplink`. The subject may have verbs too. */
export function pastMessage(message: string, device: string): string {
  const name = oneLine(device, 100)
  // that it was up before says nothing about a fault that is over
  const told = message.replace(/ \(was [^()]*\)/, '')
  const from = told.startsWith(name) ? name.length : 0
  const rest = told
    .slice(from)
    .replace(/ (is|has|uses|loses|answers) (?!been)/, (found, verb: string) => found.replace(verb, PAST[verb] ?? verb))
  return `${told.slice(0, from)}${rest}`
}

/** The same without what else helps, for titles: `sw-3 Gi1/0/17 was down`. */
export function pastTitle(message: string, device: string): string {
  const past = pastMessage(message, device)
  const verb = / (was|had|used|lost|answered) /.exec(past)
  if (verb === null) return past
  const rest = past.slice(verb.index).replace(/ \((in|out) [^()]*\)/, '')
  // up to the first comma outside of brackets
  return past.slice(0, verb.index) + (/^(\([^()]*\)|(?!, ).)*/.exec(rest)?.[0] ?? rest)
}

/** A stored sentence with its times, in epoch ms: `… (since 14:02)`, or `… (14:02 to 14:20, 18 minutes)`. */
export function withTimes(
  message: string,
  {
    device,
    began,
    ended,
    now,
  }: { readonly device: string; readonly began: number; readonly ended: number | null; readonly now: number },
): string {
  if (ended === null) return `${message} (since ${clockWords(began, now)})`
  const times = `${clockWords(began, now)} to ${clockWords(ended, now)}, ${spanWords((ended - began) / 1000)}`
  return `${pastMessage(message, device)} (${times})`
}

const whole = (sentence: string, also: readonly string[]): string =>
  oneLine([sentence, ...also].join(', '), MAX_SENTENCE)

/** The sentence without times and details, for titles: `sw-3 Gi1/0/17 is down`. */
export const shortText = ({ subject, what }: FaultWords, device: string): string =>
  oneLine(`${oneLine(device, 100)}${subject} ${what}`, MAX_SENTENCE)

/** The sentence of a matched row. */
export function faultSentence(rule: SentenceRule, row: FaultRow, options: SentenceOptions): string {
  return sentenceText(faultWords(rule, row, options.now), options)
}
