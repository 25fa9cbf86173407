/** @jsxImportSource #jsx */
import type { AlertRule } from '../../../core/alerts/rules/service.ts'
import type { TemplatePreview } from '../../../core/alerts/templates/preview.ts'
import type { AlertTemplateRecord, WantedTemplate } from '../../../core/alerts/templates/service.ts'
import { invalid, notFound } from '../../../core/base/errors.ts'
import { AddLink, Confirm, Field, Hidden } from '../../components/form.tsx'
import { Card, Empty, plain } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form, type PageRequest, page } from '../../page.ts'
import { can, refusalsAsFormErrors, requireGate } from '../../permissions.ts'
import { idsOf, linesOf } from '../alert-rules/fields.ts'
import { AlertTabs } from '../alerts/parts.tsx'

interface Fields {
  readonly name: string
  readonly title: string
  readonly titleRec: string
  readonly template: string
  /** Names of rules, one per line. */
  readonly rules: string
}

interface TemplatesData {
  readonly templates: readonly AlertTemplateRecord[]
  readonly broken: ReadonlyMap<number, string>
  /** The template being edited; null: only the list is shown. */
  readonly edited: { readonly id: number | null; readonly fields: Fields; readonly preview: TemplatePreview } | null
}

const MAX_NAME = 255
const NEW_TEXT = `{{ $alert->title }}

Device: {{ $alert->hostname }}
Since: {{ $alert->elapsed }}
@foreach ($alert->faults as $key => $value)
  {{ $key }}: {{ $value['string'] }}
@endforeach
`

/** Texts of notifications. */
export const alertTemplatesPage = page<TemplatesData>({
  path: '/alerts/templates',
  gate: 'AlertTemplate.viewAny',
  scripts: ['rule.js'],
  async load(visit) {
    const { services, actor, query } = visit
    const [templates, broken, rules] = await Promise.all([
      services.alertTemplates.list(),
      services.alertTemplates.broken(),
      services.alertRules.list(actor),
    ])
    const faults = new Map(broken.map(({ id, part, fault }) => [id, `${part}: ${fault}`]))
    const isNew = query.has('new')
    if (!isNew && !query.has('id')) return { templates, broken: faults, edited: null }
    const mayWrite = can(visit, isNew ? 'AlertTemplate.create' : 'AlertTemplate.update')
    if (isNew && !mayWrite) throw notFound('not for this person')
    // whoever may not change the template sees only the stored one
    const form = mayWrite ? visit.sent : null
    const stored = isNew ? null : (templates.find(({ id }) => id === idOf(query.get('id') ?? '')) ?? null)
    if (stored === null && !isNew) throw notFound('no template')
    const fields = form !== null ? ofForm(form) : stored === null ? EMPTY : ofStored(stored, rules)
    const preview = await services.templatePreview.render(actor, textsOf(fields), form?.get('ended') === '1')
    return { templates, broken: faults, edited: { id: stored?.id ?? null, fields, preview } }
  },
  view(data, visit) {
    const { edited } = data
    return {
      title: 'Alert templates',
      crumbs: [
        { label: 'Alerts', href: '/alerts' },
        { label: 'Templates', ...(edited !== null && { href: '/alerts/templates' }) },
        ...(edited === null ? [] : [{ label: edited.id === null ? 'New' : plain(edited.fields.name) }]),
      ],
      body: (
        <>
          <div class="head">
            <h1>{edited === null ? 'Notification templates' : edited.id === null ? 'New template' : 'Template'}</h1>
            <div class="acts">
              {edited === null && can(visit, 'AlertTemplate.create') ? (
                <AddLink href="/alerts/templates?new" first>
                  Template
                </AddLink>
              ) : null}
            </div>
          </div>
          <AlertTabs visit={visit} here="/alerts/templates" />
          {edited === null ? <List data={data} visit={visit} /> : <Editor edited={edited} visit={visit} />}
        </>
      ),
    }
  },
  actions: {
    async save(visit, form) {
      const isNew = visit.query.has('new')
      requireGate(visit, isNew ? 'AlertTemplate.create' : 'AlertTemplate.update')
      const { alertTemplates } = visit.services
      const wanted = await wantedOf(visit, ofForm(form))
      alertTemplates.check([wanted.template, wanted.title, wanted.title_rec])
      if (isNew) await alertTemplates.add(visit.actor, wanted)
      else await alertTemplates.replace(visit.actor, idOf(visit.query.get('id') ?? ''), wanted)
      return { to: '/alerts/templates' }
    },
    async delete(visit, form) {
      requireGate(visit, 'AlertTemplate.delete')
      await refusalsAsFormErrors(() => visit.services.alertTemplates.delete(visit.actor, idOf(form.get('id'))))
      return { to: '/alerts/templates' }
    },
    async try(visit) {
      requireGate(visit, visit.query.has('new') ? 'AlertTemplate.create' : 'AlertTemplate.update')
      return { notice: { tone: 'ok', text: 'Not saved yet. The notification would look as shown below.' } }
    },
  },
})

const EMPTY: Fields = { name: '', title: '', titleRec: '', template: NEW_TEXT, rules: '' }

function ofStored(stored: AlertTemplateRecord, rules: readonly AlertRule[]): Fields {
  const used = new Set(stored.alert_rules)
  return {
    name: stored.name,
    title: stored.title ?? '',
    titleRec: stored.title_rec ?? '',
    template: stored.template,
    rules: rules.flatMap(({ id, name }) => (used.has(id) ? [name] : [])).join('\n'),
  }
}

function ofForm(form: Form): Fields {
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
const textsOf = ({ template, title, titleRec }: Fields) => ({
  template,
  title: orNull(title),
  title_rec: orNull(titleRec),
})

async function wantedOf({ services, actor }: PageRequest, fields: Fields): Promise<WantedTemplate> {
  const name = fields.name.trim()
  if (name === '' || name.length > MAX_NAME) throw invalid(`A name has 1 to ${MAX_NAME} characters`)
  if (fields.template.trim() === '') throw invalid('The text is empty')
  const rules = new Map((await services.alertRules.list(actor)).map((rule) => [rule.name.toLowerCase(), rule.id]))
  return { ...textsOf(fields), name, ruleIds: idsOf('rule', linesOf(fields.rules), rules) }
}

function List({
  data: { broken, templates },
  visit,
}: {
  readonly data: TemplatesData
  readonly visit: PageRequest
}): Html {
  const mayDelete = can(visit, 'AlertTemplate.delete')
  return (
    <section class="card">
      {templates.length === 0 ? (
        <Empty title="No templates yet">
          <p>Notifications use the default text, which names the device, the rule, the duration and what matched.</p>
        </Empty>
      ) : (
        <ul class="rows">
          {templates.map(({ id, name, title, alert_rules }) => (
            <li>
              <span class="grow" dir="auto">
                <a class="strong" href={`/alerts/templates?id=${id}`}>
                  {plain(name)}
                </a>
                <span class="l2">{plain(title ?? 'default title')}</span>
                {broken.has(id) ? (
                  <span class="l2 t-bad">the default text is sent instead: {plain(broken.get(id) ?? '')}</span>
                ) : null}
              </span>
              <span class="sub">
                {alert_rules.length} {alert_rules.length === 1 ? 'rule' : 'rules'}
              </span>
              {mayDelete ? (
                <Confirm
                  visit={visit}
                  name="delete"
                  label="Delete"
                  about={plain(name)}
                  question={
                    alert_rules.length === 0
                      ? 'The template will be deleted. This cannot be undone.'
                      : 'Rules use this template: remove it from them first.'
                  }
                  small
                >
                  <Hidden name="id" value={id} />
                </Confirm>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Editor({
  edited: { id, fields, preview },
  visit,
}: {
  readonly edited: NonNullable<TemplatesData['edited']>
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
