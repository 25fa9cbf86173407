import { loadedDefinitions } from '../../src/librenms/store.ts'
import { FOLDER_SETTING } from '../../src/modules/loaded/rules.ts'
import { discoverRecorded } from './discover.ts'
import { loadedOutcomes } from './loaded-outcomes.ts'
import { type Outcome, RULES, summaryOf } from './outcome.ts'
import { ownOutcomes } from './own-outcomes.ts'
import { readRecorded, recordedNames } from './recordings.ts'
import { withDefinitions } from './settings.ts'

/** At least this share of the values that definitions do not leave out themselves must be shown, percent. */
const GOAL = 99.5
const LISTED = 20

/** What became of every value that definitions name, over all recordings of some folders. */
export async function namedOutcomes(
  folders: readonly string[],
  settings: Readonly<Record<string, unknown>>,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const folder of folders)
    for (const name of recordedNames(folder)) {
      const recorded = readRecorded(folder, name)
      const discovered = await discoverRecorded(recorded, settings)
      outcomes.push(...(await ownOutcomes(recorded, discovered)))
      const { os } = discovered.device
      const form = os === null ? null : loadedDefinitions(settings[FOLDER_SETTING]).form(os)
      if (form !== null) outcomes.push(...(await loadedOutcomes(recorded, discovered, form)))
    }
  return outcomes
}

/** Prints the report; returns the exit code. */
export async function reportNamed(
  folders: readonly string[],
  installation: string | null,
  all: boolean,
): Promise<number> {
  const outcomes = await withDefinitions(installation, (settings) => namedOutcomes(folders, settings))
  let code = 0
  if (outcomes.length === 0) console.log('no definition names any value of these recordings')
  for (const source of ['own', 'loaded'] as const) {
    const some = outcomes.filter((outcome) => outcome.source === source)
    if (some.length === 0) continue
    const { total, byRule, unexplained, shownPercent } = summaryOf(some)
    const systems = new Set(some.map(({ system }) => system)).size
    console.log(`${source} definitions: ${total} values of ${systems} systems`)
    for (const [rule, count] of [...byRule].sort(([, a], [, b]) => b - a))
      console.log(`  ${String(count).padStart(6)}  ${RULES[rule]}`)
    console.log(`  shown of those that definitions do not leave out: ${shownPercent?.toFixed(2) ?? 'none'} %`)
    for (const { device, definition, kind, oid } of unexplained.slice(0, all ? unexplained.length : LISTED))
      console.log(`  unexplained: ${device}, ${kind} of ${definition}, ${oid}`)
    if (shownPercent !== null && shownPercent < GOAL) code = 1
  }
  return code
}
