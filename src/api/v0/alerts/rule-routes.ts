import { invalid, notFound } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { rowId } from '../lookup.ts'
import { presentRule } from '../records/alert.ts'
import { refusals } from '../statuses.ts'
import { AlertModel } from './model.ts'
import { idToChange, ruleDraft } from './requests.ts'

const NO_RULE = 'No alert rule by that ID'

/** Alert rules: list, one, add, replace, delete. */
export const alertRuleRoutes = ({ alertRules }: Pick<Services, 'alertRules'>) =>
  new Elysia({ name: 'v0.alert-rules', prefix: '/rules' })
    .use(v0Context)
    .get(
      '',
      async ({ actor }) => {
        const rules = (await alertRules.list(actor)).map(presentRule)
        return { status: 'ok' as const, message: '' as const, rules, count: rules.length }
      },
      {
        ...operation({ id: 'list_alert_rules', gate: 'AlertRule.viewAny', summary: 'Alert rules' }),
        response: { 200: AlertModel.rules },
      },
    )
    .get(
      '/:id',
      async ({ actor, params }) => {
        const rule = await alertRules.find(actor, rowId(params.id))
        if (rule === null) throw notFound(NO_RULE)
        return { status: 'ok' as const, message: '' as const, rules: [presentRule(rule)], count: 1 }
      },
      {
        ...operation({ id: 'get_alert_rule', gate: 'AlertRule.viewAny', summary: 'One alert rule' }),
        params: AlertModel.id,
        response: { 200: AlertModel.rules, 404: ErrorModel },
      },
    )
    .delete(
      '/:id',
      async ({ actor, params }) => {
        if (!/^\d+$/.test(params.id)) throw invalid('Invalid rule id has been provided')
        const gone = await alertRules.delete(actor, rowId(params.id))
        return { status: 'ok' as const, message: gone ? 'Alert rule has been removed' : NO_RULE }
      },
      {
        ...operation({
          id: 'delete_rule',
          gate: 'AlertRule.delete',
          summary: 'Removes an alert rule with its alerts',
        }),
        params: AlertModel.id,
        response: { 200: AlertModel.message, 400: ErrorModel },
      },
    )
    .post(
      '',
      async ({ actor, body }) => {
        await alertRules.add(actor, ruleDraft(body, true))
        return { status: 'ok' as const }
      },
      {
        ...operation({ id: 'add_rule', gate: 'AlertRule.create', summary: 'Adds an alert rule' }),
        body: AlertModel.rule,
        response: { 200: AlertModel.ruleStored, ...refusals('invalid', 'unusable', 'conflict') },
      },
    )
    .put(
      '',
      async ({ actor, body }) => {
        const id = idToChange(body, 'rule_id')
        const draft = ruleDraft(body, id === null)
        if (id === null) await alertRules.add(actor, draft)
        else await alertRules.replace(actor, id, draft)
        return { status: 'ok' as const }
      },
      {
        ...operation({
          id: 'edit_rule',
          gate: 'AlertRule.update',
          summary: 'Replaces an alert rule; members that are not sent are reset',
        }),
        body: AlertModel.editRule,
        response: { 200: AlertModel.ruleStored, ...refusals('invalid', 'unusable', 'absent', 'conflict') },
      },
    )
