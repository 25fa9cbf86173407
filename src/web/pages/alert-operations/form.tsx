/** @jsxImportSource #jsx */
import { MAX_SEGMENTS } from '../../../core/alerts/operations/operation.ts'
import type { NamedTarget, ShownOperation } from '../../../core/alerts/operations/service.ts'
import { isAdmin } from '../../../core/base/actor.ts'
import { notFound } from '../../../core/base/errors.ts'
import { Check, Choice, Field } from '../../components/form.tsx'
import { Card, plain } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Page, type PageRequest, type PageView, page } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'
import { EMPTY, type OperationFields, ofForm, ofStored, type SegmentFields, wantedOf, withAnother } from './fields.ts'

interface OperationData {
  /** null: a new one. */
  readonly operation: ShownOperation | null
  readonly fields: OperationFields
  readonly targets: readonly NamedTarget[]
  /** Names of the rules that use it, with their ids. */
  readonly rules: readonly { readonly id: number; readonly name: string }[]
}

/** The page for a new operation or a stored one. */
const operationPageAt = (path: '/alerts/operations/new' | '/alerts/operations/:id', isNew: boolean): Page =>
  page<OperationData>({
    path,
    gate: isNew ? 'admin' : 'AlertTemplate.viewAny',
    load,
    view,
    actions: {
      async save(visit, form) {
        if (!isAdmin(visit.actor)) throw notFound('not for this person')
        const { operations } = visit.services
        const id = await refusalsAsFormErrors(async () => {
          const wanted = wantedOf(ofForm(form))
          if (isNew) return await operations.add(visit.actor, wanted)
          const stored = idOf(visit.params['id'])
          await operations.replace(visit.actor, stored, wanted)
          return stored
        })
        return { to: `/alerts/operations/${id}?saved` }
      },
      async another(visit) {
        if (!isAdmin(visit.actor)) throw notFound('not for this person')
        return { notice: { tone: 'ok', text: 'Not saved yet. Removed segments are gone from the form.' } }
      },
    },
  })

export const newOperationPage = operationPageAt('/alerts/operations/new', true)
export const operationPage = operationPageAt('/alerts/operations/:id', false)

async function load({ services, actor, params, sent }: PageRequest): Promise<OperationData> {
  const { operations, alertRules } = services
  const operation = params['id'] === undefined ? null : await operations.get(actor, idOf(params['id']))
  // whoever may not change the operation sees only the stored one
  const form = isAdmin(actor) ? sent : null
  const stored = operation === null ? EMPTY : ofStored(operation)
  const given = form === null ? stored : ofForm(form)
  const used = new Set(operation?.rules)
  const rules = used.size === 0 ? [] : (await alertRules.list(actor)).filter(({ id }) => used.has(id))
  return {
    operation,
    fields: form?.get('do') === 'another' && form.get('more') === '1' ? withAnother(given) : given,
    // whoever cannot change it sees the targets that it has, and no others
    targets: isAdmin(actor) ? await operations.targets() : targetsOf(operation),
    rules,
  }
}

const targetsOf = (operation: ShownOperation | null): readonly NamedTarget[] => [
  ...new Map(operation?.segments.flatMap(({ targets }) => targets).map((target) => [target.text, target])).values(),
]

function view(data: OperationData, visit: PageRequest): PageView {
  const { operation, fields, targets } = data
  const title = operation === null ? 'New operation' : `Operation: ${plain(operation.name)}`
  const mayChange = isAdmin(visit.actor)
  return {
    title,
    crumbs: [
      { label: 'Alerts', href: '/alerts' },
      { label: 'Operations', href: '/alerts/operations' },
      { label: operation === null ? 'New' : plain(operation.name) },
    ],
    body: (
      <form method="post" action={visit.url.pathname}>
        <input type="hidden" name="csrf" value={visit.session.csrf} />
        <div class="head">
          <h1 dir="auto">{title}</h1>
          <div class="acts">
            {mayChange ? (
              <button class="btn first" type="submit" name="do" value="save">
                Save operation
              </button>
            ) : null}
          </div>
        </div>
        {visit.query.has('saved') ? (
          <div class="note ok" role="status">
            <div class="grow">
              <b>The operation has been saved.</b> It applies to notifications from now on.
            </div>
          </div>
        ) : null}
        <div class="stack">
          <General fields={fields} />
          {fields.segments.map((segment, i) => (
            <SegmentCard
              segment={segment}
              place={i}
              when={mayChange ? null : (operation?.segments[i]?.when ?? null)}
              targets={targets}
            />
          ))}
          {mayChange && fields.segments.length < MAX_SEGMENTS ? <Another /> : null}
          {data.rules.length === 0 ? null : <Rules data={data} />}
        </div>
      </form>
    ),
  }
}

const Another = () => (
  <div class="acts">
    <input type="hidden" name="more" value="1" />
    <button class="btn" type="submit" name="do" value="another">
      Add a segment
    </button>
  </div>
)

function General({ fields }: { readonly fields: OperationFields }): Html {
  return (
    <Card title="Operation">
      <div class="form">
        <div class="line">
          <Field id="name" label="Name" value={fields.name} maxLength={255} required />
          <Field
            id="duration"
            label="Step duration"
            value={fields.duration}
            maxLength={12}
            hint="5m, 1h; empty: setting alert.step_duration"
          />
        </div>
        <Check name="suppressed" label="Silent: nobody is notified" on={fields.suppressed} />
      </div>
    </Card>
  )
}

const WHEN = [
  { value: 'problem', label: 'while the problem lasts' },
  { value: 'recovery', label: 'when it is over' },
  { value: 'update', label: 'when it is acknowledged or changes' },
]

function SegmentCard({
  segment,
  place,
  when,
  targets,
}: {
  readonly segment: SegmentFields
  readonly place: number
  /** In words; null: not shown, because the form may have changed. */
  readonly when: string | null
  readonly targets: readonly NamedTarget[]
}): Html {
  const at = (name: string) => `${name}-${place}`
  return (
    <Card title={`Segment ${place + 1}`} sub={when ?? ''}>
      <div class="form">
        <div class="line">
          <Choice id={at('phase')} label="Notifies" value={segment.phase} options={WHEN} />
          <Field id={at('from')} label="From step" value={segment.from} maxLength={6} />
          <Field
            id={at('to')}
            label="To step"
            value={segment.to}
            maxLength={6}
            hint="empty: until it is over or acknowledged"
          />
        </div>
        <div class="line">
          <Field
            id={at('start')}
            label="Starts after"
            value={segment.start}
            maxLength={12}
            hint="time after the steps before it: 0, 10m"
          />
          <Field
            id={at('duration')}
            label="Every"
            value={segment.duration}
            maxLength={12}
            hint="empty: the step duration of the operation"
          />
        </div>
        <fieldset class="ticks">
          <legend>Who is notified</legend>
          {targets.length === 0 ? (
            <span class="sub">
              There are no transports yet: <a href="/alerts/transports">add one</a>
            </span>
          ) : null}
          {targets.map(({ text, name, kind, type }) => (
            <Check
              name={`to-${place}-${text}`}
              on={segment.targets.has(text)}
              label={
                <>
                  {plain(name)}
                  <span class="sub"> {type === 'group' ? 'group' : type === 'on_call' ? 'on call' : kind}</span>
                </>
              }
            />
          ))}
        </fieldset>
        <Check name={at('remove')} label="Remove this segment" on={false} />
      </div>
    </Card>
  )
}

const Rules = ({ data: { rules } }: { readonly data: OperationData }): Html => (
  <Card title="Used by">
    <ul class="rows">
      {rules.map(({ id, name }) => (
        <li>
          <a class="grow" href={`/alerts/rules/${id}`} dir="auto">
            {plain(name)}
          </a>
        </li>
      ))}
    </ul>
  </Card>
)
