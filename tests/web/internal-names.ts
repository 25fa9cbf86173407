import { getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import * as schema from '../../db/schema/index.ts'
import { SETTINGS } from '../../src/config/schema.ts'

/** Objects of MIB-II that network engineers say themselves, in any tool. */
const SAID = new Set([
  ...['sysName', 'sysDescr', 'sysObjectID', 'sysContact', 'sysLocation'],
  ...['ifIndex', 'ifName', 'ifDescr', 'ifAlias', 'ifType'],
])

/** Tables and columns whose names are no words of a language: `sensor_limit`, `ifOperStatus`. */
const INTERNAL: ReadonlySet<string> = new Set(
  Object.values(schema)
    .filter((one) => is(one, Table))
    .flatMap((table) => [getTableName(table), ...Object.values(getTableColumns(table)).map(({ name }) => name)])
    .filter((name) => /_|[a-z][A-Z]/.test(name) && !SAID.has(name)),
)

/** Settings are typed by their names (`portlight config set`), and so is what is in their values. */
const TYPED: ReadonlySet<string> = new Set([...Object.keys(SETTINGS), 'poller_group', 'every_hours'])

/** The text of a page that people see or hear: also titles, labels and place holders. Code is what is typed. */
export function visibleText(html: string): string {
  return html
    .replaceAll(/<(script|style|template|svg|code|pre|textarea)\b[\s\S]*?<\/\1>/g, ' ')
    .replaceAll(/<[^>]*?(?: (?:title|placeholder|aria-label)="([^"]*)")[^>]*>/g, ' $1 ')
    .replaceAll(/<\/?(?:b|i|em|strong|wbr|mark)>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
}

/** What of a page's visible text only programs need: names of tables and columns, SQL, arrows of texts for programs. */
export function internalNames(html: string): string[] {
  const text = visibleText(html)
  const found = [...text.matchAll(/(?<![\w.])[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z_]\w*)*/g)].flatMap(
    ({ 0: word, index }) =>
      !TYPED.has(word) && word.split('.').some((part) => INTERNAL.has(part))
        ? [`${word}: …${text.slice(Math.max(0, index - 40), index + 60)}…`]
        : [],
  )
  const sql = /\b(?:SELECT \S+ FROM|NOT LIKE|IS NOT NULL|(?:!=|>=|<=|=) "?\w+"? (?:AND|OR) )/.exec(text)
  const arrow = /\S+ (?:->|→) \S+/.exec(text)
  return [...new Set([...found, ...(sql === null ? [] : [sql[0]]), ...(arrow === null ? [] : [arrow[0]])])]
}
