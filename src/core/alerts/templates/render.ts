import { isHtml, textOfHtml } from '@portlight/templates/html.ts'
import { parseTemplate } from '@portlight/templates/parse.ts'
import { renderTemplate } from '@portlight/templates/render.ts'
import type { AlertContext } from '../context.ts'
import type { GraphMembers, GraphUrl } from '../signed-graphs.ts'

/** The texts of a template, as written by users. */
export interface TemplateTexts {
  readonly template: string
  readonly title: string | null
  /** For recoveries. */
  readonly title_rec: string | null
}

/** Position at which a text cannot be parsed or rendered. Lines and columns count from 1. */
export interface PartFault {
  readonly part: 'title' | 'template'
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A rendered notification; members are null where the default is to be used. */
export interface Rendered {
  readonly title: string | null
  readonly text: string | null
  readonly html: string | null
  readonly faults: readonly PartFault[]
}

/** Longer titles are truncated. */
const MAX_TITLE = 500

/** Renders a template with a stored context. With `graphUrl` null, graphs are left out; `pageUrl`: see RenderOptions. */
export function renderedBy(
  { template, title, title_rec }: TemplateTexts,
  context: AlertContext,
  graphUrl: GraphUrl | null,
  pageUrl: (path: string) => string | null = () => null,
): Rendered {
  const found: PartFault[] = []
  const urlOf = (members: GraphMembers) => graphUrl?.(members, context.device_id) ?? null
  // templates count faults from 1
  const faults = Object.fromEntries(context.faults.map((fault, i) => [String(i + 1), fault]))
  const render = (part: PartFault['part'], text: string, output: 'text' | 'html', members: object): string | null => {
    const read = parseTemplate(text)
    const alert = { ...context, faults, ...members }
    const result =
      read.kind === 'fault'
        ? read
        : renderTemplate(read, { alert }, { output, now: context.time, graphUrl: urlOf, pageUrl })
    if (result.kind === 'rendered') return result.text.trim() === '' ? null : result.text
    const { line, column, message } = result
    found.push({ part, line, column, message })
    return null
  }
  const heading = (context.state === 0 ? title_rec : title) ?? ''
  const newTitle = render('title', heading, 'text', {})?.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TITLE) ?? null
  const members = { title: newTitle ?? context.title }
  if (!isHtml(template)) {
    return { title: newTitle, text: render('template', template, 'text', members), html: null, faults: found }
  }
  const html = render('template', template, 'html', members)
  return { title: newTitle, text: html === null ? null : textOfHtml(html), html, faults: found }
}
