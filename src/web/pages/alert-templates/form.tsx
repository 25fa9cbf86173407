/** @jsxImportSource #jsx */
import type { AlertRule } from '../../../core/alerts/rules/service.ts'
import type { TemplatePreview } from '../../../core/alerts/templates/preview.ts'
import type { AlertTemplateRecord, TemplateDraft } from '../../../core/alerts/templates/service.ts'
import { invalid } from '../../../core/base/errors.ts'
import { Field } from '../../components/form.tsx'
import { Card, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Form, PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'
import { idsOf, linesOf } from '../alert-rules/fields.ts'

const MAX_NAME = 255

const NEW_TEXT = `{{ $alert->title }}

Device: {{ $alert->hostname }}
Since: {{ $alert->elapsed }}
@foreach ($alert->faults as $key => $value)
  {{ $key }}: {{ $value['string'] }}
@endforeach
`

/** The fields of the form, as text. */
export interface Fields {
  readonly name: string
  readonly title: string
  readonly titleRec: string
  readonly template: string
  /** Names of rules, one per line. */
  readonly rules: string
}

/** A template in the form, with how it would look. */
export interface Edited {
  /** null: a new one. */
  readonly id: number | null
  readonly fields: Fields
  readonly preview: TemplatePreview
}

/** A new template. */
export const EMPTY: Fields = { name: '', title: '', titleRec: '', template: NEW_TEXT, rules: '' }

/** A stored template in the form. */
export function ofStored(stored: AlertTemplateRecord, rules: readonly AlertRule[]): Fields {
  const used = new Set(stored.alert_rules)
  return {
    name: stored.name,
    title: stored.title ?? '',
    titleRec: stored.title_rec ?? '',
    template: stored.template,
    rules: rules.flatMap(({ id, name }) => (used.has(id) ? [name] : [])).join('\n'),
  }
}

/** What was entered, with one kind of line end. */
export function ofForm(form: Form): Fields {
  const text = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n')
  return {
    name: text('name'),
    title: text('title'),
    titleRec: text('title_rec'),
    template: text('template'),
    rules: text('rules'),
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text)

/** The texts of a template; null: the default. */
export const textsOf = ({ template, title, titleRec }: Fields) => ({
  template,
  title: orNull(title),
  title_rec: orNull(titleRec),
})

/** What the form asks for. Throws `invalid`. */
export async function wantedOf({ services, actor }: PageRequest, fields: Fields): Promise<TemplateDraft> {
  const name = fields.name.trim()
  if (name === '' || name.length > MAX_NAME) throw invalid(`A name has 1 to ${MAX_NAME} characters`)
  if (fields.template.trim() === '') throw invalid('The text is empty')
  const rules = new Map((await services.alertRules.list(actor)).map((rule) => [rule.name.toLowerCase(), rule.id]))
  return { ...textsOf(fields), name, ruleIds: idsOf('rule', linesOf(fields.rules), rules) }
}

/** The form of a template, with its preview. */
export function Editor({
  edited: { id, fields, preview },
  visit,
}: {
  readonly edited: Edited
  readonly visit: PageRequest
}): Html {
  const mayChange = can(visit, id === null ? 'AlertTemplate.create' : 'AlertTemplate.update')
  return (
    <form method="post" action={visit.url.pathname + visit.url.search} data-tried>
      <input type="hidden" name="csrf" value={visit.session.csrf} />
      <div class="cols even">
        <Card title="Text">
          <div class="form">
            <Field id="name" label="Name" value={fields.name} maxLength={1000} />
            <div class="line">
              <Field id="title" label="Title; empty: the default" value={fields.title} maxLength={1000} />
              <Field id="title_rec" label="Title on recovery" value={fields.titleRec} maxLength={1000} />
            </div>
            <div class="field">
              <label for="template">Text</label>
              <textarea class="inp mono" id="template" name="template" rows="16" spellcheck="false">
                {fields.template}
              </textarea>
              <span class="hint">
                Members of <code>$alert</code>: hostname, name, severity, elapsed, faults, …; <code>@if</code>,{' '}
                <code>@foreach</code>. Text with tags is sent as HTML if the transport supports it.
              </span>
            </div>
            <Field
              id="rules"
              label="Rules that use it, one per line"
              value={fields.rules}
              rows={3}
              maxLength={20_000}
            />
            <div class="acts">
              {mayChange ? (
                <>
                  <button class="btn first" type="submit" name="do" value="save">
                    Save template
                  </button>
                  <button class="btn" type="submit" name="do" value="try">
                    Preview
                  </button>
                </>
              ) : null}
              <label>
                <input type="checkbox" name="ended" value="1" checked={visit.sent?.get('ended') === '1'} /> as a
                recovery
              </label>
            </div>
          </div>
        </Card>
        <aside class="sticky" aria-label="Preview" data-trial aria-live="polite">
          <Preview preview={preview} />
        </aside>
      </div>
    </form>
  )
}

function Preview({ preview }: { readonly preview: TemplatePreview }): Html {
  const { faults, shownTitle, text, html, about } = preview
  return (
    <Card title="Preview" sub={about === null ? 'of a made-up alert' : `of ${plain(about)}`}>
      <div class="body stack">
        {faults.map(({ part, line, column, message }) => (
          <p class="t-bad" data-template-fault>
            {part === 'title' ? 'Title' : 'Text'}, line {line}, column {column}: {plain(message)}
          </p>
        ))}
        {faults.some(({ part }) => part === 'template') ? (
          <p class="sub">The default text would be sent.</p>
        ) : (
          <>
            <p>
              <b dir="auto">{plain(shownTitle)}</b>
              {html === null ? null : <span class="sub"> also as HTML</span>}
            </p>
            <pre class="pre wrap" dir="auto" data-template-text>
              {plain(text ?? '(empty: the default text is sent)')}
            </pre>
          </>
        )}
      </div>
    </Card>
  )
}
