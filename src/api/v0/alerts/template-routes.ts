import type { StoredTemplate, TemplateDraft } from '../../../core/alerts/templates/service.ts'
import type { Actor } from '../../../core/base/actor.ts'
import { DomainError } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { rowId } from '../lookup.ts'
import { Unexplained } from '../present-error.ts'
import { refusals } from '../statuses.ts'
import { AlertModel } from './model.ts'
import { idToChange, templateDraft } from './requests.ts'

/** Alert templates: list, get, add, replace (POST and PUT). */
export const alertTemplateRoutes = ({ alertTemplates }: Pick<Services, 'alertTemplates'>) => {
  async function replace(actor: Actor, id: number, draft: TemplateDraft) {
    return await alertTemplates.replace(actor, id, draft).catch((error: unknown) => {
      throw error instanceof DomainError && error.code === 'absent' ? new Unexplained(error) : error
    })
  }
  /** Both methods create a template without `template_id` and replace one with it. */
  async function store(actor: Actor, body: unknown) {
    const draft = templateDraft(body, alertTemplates.check)
    const id = idToChange(body, 'template_id')
    const stored = id === null ? await alertTemplates.add(actor, draft) : await replace(actor, id, draft)
    return { code: id === null ? 201 : 200, answer: answer(stored, id === null ? 'created' : 'updated') } as const
  }
  const stored = {
    body: AlertModel.template,
    response: {
      200: AlertModel.templateStored,
      201: AlertModel.templateStored,
      ...refusals('invalid', 'absent'),
    },
  }
  return new Elysia({ name: 'v0.alert-templates', prefix: '/alert_templates' })
    .use(v0Context)
    .get(
      '',
      async () => {
        const templates = await alertTemplates.list()
        return { status: 'ok' as const, alert_templates: templates.map(copy), count: templates.length }
      },
      {
        ...operation({
          id: 'list_alert_templates',
          gate: 'AlertTemplate.viewAny',
          summary: 'Alert templates',
        }),
        response: { 200: AlertModel.templates, 403: ErrorModel },
      },
    )
    .get(
      '/:id',
      async ({ params }) => {
        const templates = await alertTemplates.find(rowId(params.id))
        return { status: 'ok' as const, alert_templates: templates.map(copy), count: templates.length }
      },
      {
        ...operation({
          id: 'get_alert_template',
          gate: 'AlertTemplate.viewAny',
          summary: 'One alert template',
        }),
        params: AlertModel.id,
        response: { 200: AlertModel.templates, 403: ErrorModel },
      },
    )
    .post(
      '',
      async ({ actor, body, status }) => {
        const { code, answer: sent } = await store(actor, body)
        return status(code, sent)
      },
      {
        ...operation({
          id: 'add_alert_template',
          gate: 'AlertTemplate.create',
          summary: 'Adds an alert template, or replaces the one with template_id',
        }),
        ...stored,
      },
    )
    .put(
      '',
      async ({ actor, body, status }) => {
        const { code, answer: sent } = await store(actor, body)
        return status(code, sent)
      },
      {
        ...operation({
          id: 'edit_alert_template',
          gate: 'AlertTemplate.update',
          summary: 'Replaces an alert template, or adds one without template_id',
        }),
        ...stored,
      },
    )
}

const copy = <T extends { readonly alert_rules: readonly number[] }>(template: T) => ({
  ...template,
  alert_rules: [...template.alert_rules],
})

function answer({ id, complete }: StoredTemplate, done: 'created' | 'updated') {
  return complete
    ? ({ status: 'ok', message: `Alert template has been ${done} and attached rules have been updated.`, id } as const)
    : ({
        status: 'warning',
        message: `Alert template has been ${done} but some attached rules have not been updated.`,
        id,
      } as const)
}
