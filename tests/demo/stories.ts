import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { windows } from '../../src/demo/curve.ts'
import { hash01, seedOf } from '../../src/demo/hash.ts'
import { FLEET_EPOCH_MS } from '../../src/demo/instant.ts'
import { seedsOf } from '../../src/demo/seeds.ts'
import { DEFAULT_SEED } from '../../src/demo/serve.ts'
import { HAPPENINGS, type HappeningName, happening } from '../../src/demo/timetable.ts'

const FOLDER = join(import.meta.dir, '../../docs/stories')

/** What a story's page says one sees: where it is opened, what is clicked there, and what is said then. */
export interface Look {
  /** Path of a page, or `GET` and that of an operation of the API. */
  readonly open: string
  /** Texts of links, clicked one after the other. */
  readonly clicks: readonly string[]
  /** Parts of the text; `…` stands for a few words. */
  readonly says: readonly string[]
}

/** Names of the stories' pages, without `.md`. */
export const STORIES: readonly string[] = existsSync(FOLDER)
  ? readdirSync(FOLDER)
      .filter((name) => name.endsWith('.md') && name !== 'README.md')
      .map((name) => name.replace(/\.md$/, ''))
      .sort()
  : []

export const storyPage = (name: string): string => readFileSync(join(FOLDER, `${name}.md`), 'utf8')

const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)

/** The rows of a page's tables with the head `| Open | It says |`. Throws for a row that says nothing. */
export function looksOf(markdown: string): Look[] {
  const looks: Look[] = []
  let inTable = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('| Open | It says |')) inTable = true
    else if (!line.startsWith('|')) inTable = false
    else if (inTable && !line.startsWith('|---')) {
      const [, where = '', what = ''] = line.split('|')
      const [open = '', ...clicks] = quoted(where)
      const says = quoted(what)
      if (open === '' || says.length === 0) throw new Error(`nothing to look at: ${line}`)
      looks.push({ open, clicks, says })
    }
  }
  return looks
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** The text of a page, with single blanks. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<(script|style)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
}

/** Where the first link with this text leads; null: there is none. */
export function linkWith(html: string, text: string): string | null {
  for (const [, href = '', inner = ''] of html.matchAll(/<a\b[^>]*\bhref="([^"]*)"[^>]*>(.*?)<\/a>/gs))
    if (textOf(inner).includes(text)) return textOf(href)
  return null
}

/** Whether a text says this, where `…` stands for at most 60 characters. */
export function saysIn(text: string, part: string): boolean {
  const pattern = part.split('…').map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(pattern.join('.{0,60}?')).test(text)
}

/** From when to when, in seconds after a start, something must have begun, or something must have ended. */
interface Wish {
  readonly begins: readonly [from: number, to: number]
}

const WISHES: Readonly<Record<HappeningName | 'mains', Wish>> = {
  'no power': { begins: [-260, 70] },
  job: { begins: [-200, 0] },
  'no session': { begins: [20, 100] },
  mains: { begins: [-150, 30] },
}
/** The laptop changes its place every so many seconds, and must in this time after the start. */
const CARRIED_S = 590
const CARRIED = [40, 150] as const
/** The log disk is emptied every so many seconds; at the start it must be this full, as a part of the way. */
const FILLED_S = 3720
const FILLED = [0.815, 0.95] as const
const STEP_S = 10
const YEAR_S = 365 * 86_400

/**
 * How far ahead of this host's clock the fleet's must be, ms, so that every story is seen within a few minutes. Throws if
 * there is no such time in a year.
 */
export function aheadForStories(nowMs: number): number {
  const startS = Math.floor((nowMs - FLEET_EPOCH_MS) / 1000)
  const of = (device: string) => seedsOf(DEFAULT_SEED, device)
  const laptopPhase = hash01(seedOf('laptop'), 0) * 2
  const diskPhase = hash01(of('web-1')('log'), 0)
  const all = Object.entries(WISHES).map(([name, { begins }]) => {
    const when =
      name === 'mains'
        ? windows(of('ups-1')('mains'), 2700, 360)
        : happening(name as HappeningName, of(HAPPENINGS[name as HappeningName].device))
    return (s: number) => {
      // it goes on at the end of the time in which it must begin, and began in it
      const at = s + begins[1]
      return !when.isOn(at) && when.changedAt(at) >= s + begins[0]
    }
  })
  for (let s = startS; s < startS + YEAR_S; s += STEP_S) {
    const way = s / FILLED_S + diskPhase
    const filled = way - Math.floor(way)
    if (filled < FILLED[0] || filled > FILLED[1]) continue
    const turns = (after: number) => Math.floor((s + after) / CARRIED_S + laptopPhase)
    if (turns(CARRIED[0]) === turns(CARRIED[1])) continue
    if (all.every((holds) => holds(s))) return (s - startS) * 1000
  }
  throw new Error('the stories never happen at the same time')
}
