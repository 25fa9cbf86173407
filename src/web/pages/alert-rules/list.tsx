/** @jsxImportSource #jsx */
import { ruleExtra } from '../../../core/alerts/rules/extra.ts'
import { RULE_PRESETS } from '../../../core/alerts/rules/presets.ts'
import type { BrokenRule } from '../../../core/alerts/rules/preview.ts'
import type { AlertRule } from '../../../core/alerts/rules/service.ts'
import { notFound } from '../../../core/base/errors.ts'
import { sentenceOf } from '../../../core/rules/in-words.ts'
import { AddLink, Confirm, Hidden } from '../../components/form.tsx'
import { Mark } from '../../components/icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, duration, Empty, plain } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { can, requireGate } from '../../permissions.ts'
import { AlertTabs, SEVERITIES, severityTone } from '../alerts/parts.tsx'

interface RulesData {
  readonly rules: readonly AlertRule[]
  readonly broken: ReadonlyMap<number, BrokenRule>
  /** Open alerts by rule. */
  readonly open: ReadonlyMap<number, number>
}

/** Alert rules. */
export const alertRulesPage = page<RulesData>({
  path: '/alerts/rules',
  gate: 'AlertRule.viewAny',
  async load({ services, actor }) {
    const [rules, broken, alerts] = await Promise.all([
      services.alertRules.list(actor),
      services.alertPreview.broken(),
      services.alertList.openByRule(actor),
    ])
    return { rules, broken: new Map(broken.map((rule) => [rule.id, rule])), open: alerts }
  },
  view(data, visit) {
    const on = data.rules.filter(({ disabled }) => disabled === 0)
    const faulty = on.filter(({ id }) => (data.broken.get(id)?.kind ?? 'slow') !== 'slow').length
    return {
      title: 'Alert rules',
      crumbs: [{ label: 'Alerts', href: '/alerts' }, { label: 'Rules' }],
      body: (
        <>
          <div class="head">
            <h1>
              {on.length} active {on.length === 1 ? 'rule' : 'rules'}
              {faulty === 0 ? '' : `, ${faulty} cannot be evaluated`}
            </h1>
            <div class="acts">
              {can(visit, 'AlertRule.create') ? (
                <AddLink href="/alerts/rules/new" first>
                  Rule
                </AddLink>
              ) : null}
            </div>
          </div>
          <AlertTabs visit={visit} here="/alerts/rules" />
          <div class="stack">
            <section class="card">
              {data.rules.length === 0 ? (
                <Empty
                  title="No rule applies to a device that you have access to"
                  help={['how-to/write-a-rule', 'How a rule is written']}
                />
              ) : (
                <Table columns={columnsOf(data, visit)} rows={data.rules} query={visit.query} caption="Alert rules" />
              )}
            </section>
            {can(visit, 'AlertRule.create') ? <Presets known={data.rules} /> : null}
          </div>
        </>
      ),
    }
  },
  actions: {
    async delete(visit, form) {
      requireGate(visit, 'AlertRule.delete')
      const id = idOf(form.get('id'))
      if (!(await visit.services.alertRules.delete(visit.actor, id))) throw notFound('no rule')
      return { to: '/alerts/rules' }
    },
  },
})

function columnsOf({ broken, open }: RulesData, visit: PageRequest): readonly Column<AlertRule>[] {
  return [
    {
      id: 'severity',
      label: 'Severity',
      quiet: true,
      cell: ({ severity, disabled }) =>
        disabled === 1 ? (
          <Mark tone="off" label="Disabled" />
        ) : (
          <Mark tone={severityTone(severity)} label={SEVERITIES[severity] ?? severity} />
        ),
    },
    {
      id: 'name',
      label: 'Rule',
      class: 'full',
      cell: ({ id, name, rule, builder }) => {
        const fault = broken.get(id)
        return (
          <>
            <a class="name" href={`/alerts/rules/${id}`} dir="auto">
              {plain(name)}
            </a>
            <span class="l2 wrap" dir="auto">
              {plain(sentenceOf(builder) ?? rule).slice(0, 300)}
            </span>
            {fault === undefined ? null : fault.kind === 'slow' ? (
              <span class="l2 t-warn">slow: {plain(fault.detail)}</span>
            ) : (
              <span class="l2 t-bad">cannot be evaluated: {plain(fault.detail)}</span>
            )}
          </>
        )
      },
    },
    {
      id: 'open',
      label: 'Open',
      numeric: true,
      cell: ({ id }) => {
        const n = open.get(id) ?? 0
        return n === 0 ? <span class="sub">0</span> : count(n)
      },
    },
    {
      id: 'waits',
      label: 'Notifies',
      class: 'lg dim nowrap lab',
      cell: (rule) => notifies(rule),
    },
    {
      id: 'applies',
      label: 'Applies to',
      class: 'lg dim nowrap lab',
      cell: (rule) => appliesTo(rule),
    },
    {
      id: 'act',
      label: 'Action',
      quiet: true,
      class: 'num r',
      cell: ({ id, name }) =>
        can(visit, 'AlertRule.delete') ? (
          <Confirm
            visit={visit}
            name="delete"
            label="Delete"
            question="Its alerts will be deleted too."
            about={plain(name)}
            small
          >
            <Hidden name="id" value={id} />
          </Confirm>
        ) : null,
    },
  ]
}

function notifies({ extra, disabled, operation, silenced }: AlertRule): string {
  const { mute, delay, interval, count: most } = ruleExtra(extra)
  if (disabled === 1) return 'disabled'
  if (mute || silenced === 1) return 'muted'
  if (operation !== null) return operation.suppressed ? 'muted by its operation' : plain(operation.name)
  if (most === 0) return 'muted'
  const after = delay === 0 ? 'immediately' : `after ${duration(delay)}`
  return interval === 0 ? after : `${after}, then every ${duration(interval)}`
}

function appliesTo({ devices, groups, locations, invert_map }: AlertRule): string {
  const parts = [
    [devices.length, 'device'],
    [groups.length, 'group'],
    [locations.length, 'location'],
  ] as const
  const named = parts.flatMap(([n, word]) => (n === 0 ? [] : [`${n} ${word}${n === 1 ? '' : 's'}`]))
  if (named.length === 0) return 'every device'
  return `${invert_map === 1 ? 'all but ' : ''}${named.join(', ')}`
}

function Presets({ known }: { readonly known: readonly AlertRule[] }): Html {
  const names = new Set(known.map(({ name }) => name.toLowerCase()))
  const left = RULE_PRESETS.filter(({ name }) => !names.has(name.toLowerCase()))
  return (
    <Card title="Ready-made rules" sub="review before saving">
      <ul class="rows">
        {left.map(({ preset, name, about }) => (
          <li>
            <span class="grow">
              <a href={`/alerts/rules/new?preset=${preset}`}>{name}</a>
              <span class="l2">{about}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
