import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Part } from './parts.ts'

const RULE = '='.repeat(100)

/**
 * The texts of all licences: each part's own texts, then, once each, the standard texts for parts that came without
 * one. Throws if there is no text for a part.
 */
export function licenceTexts(program: string, own: string, parts: readonly Part[]): string {
  const flat = parts.flatMap((each) => [each, ...each.parts.map((inside) => ({ ...inside, inside: each.name }))])
  const identifiers = new Map<string, string[]>()
  const sections: string[] = []
  for (const each of flat) {
    const title = `${each.name}${each.version === null ? '' : ` ${each.version}`}`
    const within = 'inside' in each ? `, in ${each.inside}` : ''
    if (each.texts.length > 0) {
      const texts = each.texts.map((text) => text.trim()).join('\n\n')
      sections.push(`${RULE}\n${title}${within}\n${each.licence}\n\n${texts}`)
    }
    for (const id of each.texts.length > 0 ? [] : identifiersIn(each.licence)) {
      const list = identifiers.get(id) ?? []
      list.push(`${title}${within} (${each.licence})`)
      identifiers.set(id, list)
    }
  }
  const standard = [...identifiers]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, used]) => {
      const names = used.map((line) => `- ${line}`).join('\n')
      return `${RULE}\n${id}\n\nof, with their authors as holders of the copyright:\n\n${names}\n\n${standardText(id)}`
    })
  return `${[`${program}\n\n${own.trim()}`, ...sections, ...standard].join('\n\n')}\n`
}

function identifiersIn(expression: string): string[] {
  if (expression in OWN_WORDS) return [expression]
  return expression.replaceAll(/[()]/g, '').split(/ (?:AND|OR|WITH) /)
}

const OWN_WORDS: Readonly<Record<string, string>> = {
  'public domain': 'Its authors have put it into the public domain: it may be used without any condition.',
  'LLVM-exception': readFileSync(join(import.meta.dir, '../licences/llvm-exception.txt'), 'utf8').trim(),
}

function standardText(id: string): string {
  const own = OWN_WORDS[id]
  if (own !== undefined) return own
  const path = join(import.meta.dir, '../../node_modules/spdx-license-list/licenses', `${id}.json`)
  let found: unknown
  try {
    found = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new Error(`there is no text of the licence ${id}`)
  }
  const text = typeof found === 'object' && found !== null && 'licenseText' in found ? found.licenseText : null
  if (typeof text !== 'string' || text === '') throw new Error(`there is no text of the licence ${id}`)
  return text.trim()
}
