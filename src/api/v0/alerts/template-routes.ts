import { Elysia } from 'elysia'
import type { StoredTemplate } from '../../../domain/alerts/templates.ts'
import type { Services } from '../../../domain/services.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { rowId } from '../lookup.ts'
import { AlertModel } from './model.ts'
import { idToChange, wantedTemplate } from './requests.ts'

/** Templates of notifications: list, one, add, replace (by POST and PUT). */
export const alertTemplateRoutes = ({ alertTemplates }: Pick<Services, 'alertTemplates'>) => {
  /** Both methods make a template without `template_id` and replace one with it. */
  async function store(body: unknown) {
    const wanted = wantedTemplate(body, alertTemplates.check)
    const id = idToChange(body, 'template_id')
    const stored = id === null ? await alertTemplates.add(wanted) : await alertTemplates.replace(id, wanted)
    return { code: id === null ? 201 : 200, answer: answer(stored, id === null ? 'created' : 'updated') } as const
  }
  const stored = {
    body: AlertModel.template,
    response: {
      200: AlertModel.templateStored,
      201: AlertModel.templateStored,
      400: ErrorModel,
      500: ErrorModel,
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
          summary: 'Templates of notifications',
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
          summary: 'One template of notifications',
        }),
        params: AlertModel.id,
        response: { 200: AlertModel.templates, 403: ErrorModel },
      },
    )
    .post(
      '',
      async ({ body, status }) => {
        const { code, answer: sent } = await store(body)
        return status(code, sent)
      },
      {
        ...operation({
          id: 'add_alert_template',
          gate: 'AlertTemplate.create',
          summary: 'Adds a template of notifications, or replaces one with template_id',
        }),
        ...stored,
      },
    )
    .put(
      '',
      async ({ body, status }) => {
        const { code, answer: sent } = await store(body)
        return status(code, sent)
      },
      {
        ...operation({
          id: 'edit_alert_template',
          gate: 'AlertTemplate.update',
          summary: 'Replaces a template of notifications, or adds one without template_id',
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
