/** @jsxImportSource #jsx */

import { invalid } from '../../../core/base/errors.ts'
import { Check, Choice, Field, same } from '../../components/form.tsx'
import { RuleBuilder, RuleMatches } from '../../components/rule-builder.tsx'
import { Card, count, plain } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { LONG_FORM_OCTETS, type Page, type PageRequest, type PageView, page } from '../../page.ts'
import { requireGate } from '../../permissions.ts'
import { severityTone } from '../alerts/parts.tsx'
import type { RuleFields } from './fields.ts'
import { loadRule, type RuleData, storeRule } from './load.ts'

/** The page for a new rule or a stored one. */
const rulePageAt = (path: '/alerts/rules/new' | '/alerts/rules/:id', isNew: boolean): Page =>
  page<RuleData>({
    path,
    gate: isNew ? 'AlertRule.create' : 'AlertRule.viewAny',
    scripts: ['rule.js'],
    formOctets: LONG_FORM_OCTETS,
    load: loadRule,
    view,
    actions: {
      async save(visit, form) {
        requireGate(visit, isNew ? 'AlertRule.create' : 'AlertRule.update')
        return { to: `/alerts/rules/${await storeRule(visit, form)}?saved` }
      },
      async try(visit, form) {
        requireGate(visit, isNew ? 'AlertRule.create' : 'AlertRule.update')
        if ((form.get('builder') ?? '').trim() === '') throw invalid('The rule has no condition')
        return { notice: { tone: 'ok', text: 'Not saved yet. What the rule would match is shown below.' } }
      },
    },
  })

export const newRulePage = rulePageAt('/alerts/rules/new', true)
export const rulePage = rulePageAt('/alerts/rules/:id', false)

function view(data: RuleData, visit: PageRequest): PageView {
  const { rule, fields, mayChange } = data
  const title = rule === null ? 'New rule' : `Rule: ${plain(rule.name)}`
  return {
    title,
    crumbs: [
      { label: 'Alerts', href: '/alerts' },
      { label: 'Rules', href: '/alerts/rules' },
      { label: rule === null ? 'New' : plain(rule.name) },
    ],
    body: (
      <form method="post" action={visit.url.pathname} data-rule>
        <input type="hidden" name="csrf" value={visit.session.csrf} />
        <div class="head">
          <h1 dir="auto">{title}</h1>
          <div class="acts">
            {mayChange ? (
              <>
                <button class="btn" type="submit" name="do" value="try">
                  Try
                </button>
                <button class="btn first" type="submit" name="do" value="save">
                  Save rule
                </button>
              </>
            ) : null}
          </div>
        </div>
        {visit.query.has('saved') ? (
          <div class="note ok" role="status">
            <div class="grow">
              <b>The rule has been saved.</b> It is being evaluated now, and again whenever the data it reads changes.
            </div>
          </div>
        ) : null}
        <div class="cols">
          <div class="stack">
            <When fields={fields} />
            <Then data={data} />
            <Where data={data} />
          </div>
          <aside class="stack sticky" aria-label="What it matches now" data-trial aria-live="polite">
            <RuleMatches
              title="Would alert now"
              trial={data.trial}
              mark={[severityTone(fields.severity), fields.severity]}
            />
          </aside>
        </div>
      </form>
    ),
  }
}

function When({ fields }: { readonly fields: RuleFields }): Html {
  return (
    <Card title="When">
      <div class="body">
        <RuleBuilder value={fields.builder} overTime />
        <Check name="invert" label="Alert when nothing matches" on={fields.invert} />
      </div>
    </Card>
  )
}

/** Who is notified: an operation, or the transports below. */
function Notify({ data: { fields, operations, mayChange, rule } }: { readonly data: RuleData }): Html {
  const known = operations.map(({ id, name }) => ({ value: String(id), label: plain(name) }))
  const own = rule?.operation
  // those who may not change the rule see what it has
  const stored =
    mayChange || own === null || own === undefined ? [] : [{ value: String(own.id), label: plain(own.name) }]
  return (
    <Choice
      id="operation"
      label="Notify by"
      value={fields.operation}
      options={[
        { value: '', label: 'transports, as below' },
        ...(mayChange ? known : stored),
        { value: 'nobody', label: 'nobody' },
      ]}
      hint="An operation decides who is notified and when; delay, repetition, maximum and transports below are then not used."
    />
  )
}

function Then({ data }: { readonly data: RuleData }): Html {
  const { fields, transports } = data
  return (
    <Card title="Then">
      <div class="form">
        <div class="line">
          <Field id="name" label="Name" value={fields.name} maxLength={255} />
          <Choice
            id="severity"
            label="Severity"
            value={fields.severity}
            options={same(['critical', 'warning', 'ok'])}
          />
        </div>
        <Notify data={data} />
        <div class="line">
          <Field id="delay" label="Delay" value={fields.delay} maxLength={12} hint="time it must last: 90, 5m, 1h" />
          <Field id="interval" label="Repeat every" value={fields.interval} maxLength={12} hint="0: notify once" />
          <Field id="count" label="Maximum" value={fields.count} maxLength={8} hint="notifications; -1: no limit" />
        </div>
        <fieldset class="ticks">
          <legend>Notify via</legend>
          {transports.length === 0 ? (
            <span class="sub">
              There are no transports yet: <a href="/alerts/transports">add one</a>
            </span>
          ) : null}
          {transports.map((one) => (
            <Check
              name={`transport-${one.type}-${one.id}`}
              on={one.isUsed}
              label={
                <>
                  {plain(one.name)}
                  <span class="sub">
                    {one.type === 'group' ? ' group' : ` ${one.kind}`}
                    {one.isDefault ? ', default' : ''}
                  </span>
                </>
              }
            />
          ))}
          <span class="hint">With none ticked, the default transports are used.</span>
        </fieldset>
        <div class="ticks">
          <Check name="recovery" label="Notify when it ends" on={fields.recovery} />
          <Check name="acknowledgement" label="Notify when it is acknowledged" on={fields.acknowledgement} />
          <Check name="mute" label="Muted: raise alerts, but send no notifications" on={fields.mute} />
          <Check name="disabled" label="Disabled" on={fields.disabled} />
        </div>
        <Field id="proc" label="What to do" value={fields.proc} maxLength={80} hint="a short instruction" />
        <Field
          id="runbook"
          label="Runbook"
          value={fields.runbook}
          maxLength={500}
          hint="address of a page, http:// or https://; pages, mail and chat link to it"
        />
        <Field id="notes" label="Notes" value={fields.notes} rows={2} maxLength={10_000} />
      </div>
    </Card>
  )
}

function Lines({
  id,
  label,
  value,
  known,
}: {
  readonly id: 'devices' | 'groups' | 'locations'
  readonly label: string
  readonly value: string
  readonly known: readonly string[]
}): Html {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea class="inp" id={id} name={id} rows="3" spellcheck="false">
        {value}
      </textarea>
      {known.length === 0 ? null : (
        <details>
          <summary class="hint">{count(known.length)} to choose from</summary>
          <span class="hint wrap" dir="auto">
            {known.map(plain).join(', ')}
          </span>
        </details>
      )}
    </div>
  )
}

function Where({ data: { fields, choices } }: { readonly data: RuleData }): Html {
  return (
    <Card title="Where" sub="if all are empty: every device">
      <div class="form">
        <div class="line">
          <Lines id="devices" label="Devices, one per line" value={fields.devices} known={[]} />
          <Lines id="groups" label="Groups, one per line" value={fields.groups} known={choices.groupNames} />
          <Lines
            id="locations"
            label="Locations, one per line"
            value={fields.locations}
            known={choices.locationNames}
          />
        </div>
        <Check name="invert_map" label="Everywhere except these" on={fields.invertMap} />
      </div>
    </Card>
  )
}
