/** @jsxImportSource #jsx */
import type { AlertTemplateRecord } from '../../../core/alerts/templates/service.ts'
import { notFound } from '../../../core/base/errors.ts'
import { AddLink, Confirm, Hidden } from '../../components/form.tsx'
import { Empty, plain } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { can, refusalsAsFormErrors, requireGate } from '../../permissions.ts'
import { AlertTabs } from '../alerts/parts.tsx'
import { type Edited, Editor, EMPTY, ofForm, ofStored, textsOf, wantedOf } from './form.tsx'

export interface TemplatesData {
  readonly templates: readonly AlertTemplateRecord[]
  readonly broken: ReadonlyMap<number, string>
  /** The template being edited; null: only the list is shown. */
  readonly edited: Edited | null
}

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
        <Empty title="No templates yet" help={['reference/templates', 'How a template is written']}>
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
