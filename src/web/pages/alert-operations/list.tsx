/** @jsxImportSource #jsx */
import type { ShownOperation, ShownSegment } from '../../../core/alerts/operations/service.ts'
import { isAdmin } from '../../../core/base/actor.ts'
import { notFound } from '../../../core/base/errors.ts'
import { AddLink, Confirm, Hidden } from '../../components/form.tsx'
import { Pill } from '../../components/icon.tsx'
import { Empty, plain } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'
import { AlertTabs } from '../alerts/parts.tsx'

export const PHASE_NAMES = { problem: 'Problem', recovery: 'Recovery', update: 'Update' } as const

/** Who is notified of alerts, and when. */
export const operationsPage = page<readonly ShownOperation[]>({
  path: '/alerts/operations',
  gate: 'AlertTemplate.viewAny',
  async load({ services, actor }) {
    return await services.operations.list(actor)
  },
  view(operations, visit) {
    return {
      title: 'Operations',
      crumbs: [{ label: 'Alerts', href: '/alerts' }, { label: 'Operations' }],
      body: (
        <>
          <div class="head">
            <h1>Who is notified, and when</h1>
            <div class="acts">
              {isAdmin(visit.actor) ? (
                <AddLink href="/alerts/operations/new" first>
                  Operation
                </AddLink>
              ) : null}
            </div>
          </div>
          <AlertTabs visit={visit} here="/alerts/operations" />
          <section class="card">
            {operations.length === 0 ? (
              <Empty title="No operations yet" help={['how-to/operations', 'How steps are planned']}>
                <p>
                  An operation says who is notified at once, who after ten minutes, and who when it is over. Rules
                  without one notify their transports, or the default ones.
                </p>
              </Empty>
            ) : (
              <ul class="rows">
                {operations.map((one) => (
                  <Row one={one} visit={visit} />
                ))}
              </ul>
            )}
          </section>
        </>
      ),
    }
  },
  actions: {
    async delete(visit, form) {
      if (!isAdmin(visit.actor)) throw notFound('not for this person')
      const { operations } = visit.services
      await refusalsAsFormErrors(() => operations.remove(visit.actor, idOf(form.get('id'))))
      return { to: '/alerts/operations' }
    },
  },
})

function Row({ one, visit }: { readonly one: ShownOperation; readonly visit: PageRequest }): Html {
  const { id, name, rules, segments, suppressed } = one
  return (
    <li class="wraps">
      <span class="grow" dir="auto">
        <a class="strong" href={`/alerts/operations/${id}`}>
          {plain(name)}
        </a>{' '}
        {suppressed ? <Pill tone="off">Silent</Pill> : null}
        {segments.map((segment) => (
          <span class="l2 wrap">{segmentText(segment)}</span>
        ))}
      </span>
      <span class="sub">
        {rules.length} {rules.length === 1 ? 'rule' : 'rules'}
      </span>
      {isAdmin(visit.actor) ? (
        <Confirm
          visit={visit}
          name="delete"
          label="Delete"
          about={plain(name)}
          question={
            rules.length === 0
              ? 'The operation will be deleted. This cannot be undone.'
              : 'Rules use this operation: choose another one for them first.'
          }
          small
        >
          <Hidden name="id" value={id} />
        </Confirm>
      ) : null}
    </li>
  )
}

/** `Problem: at once, then every 5 min: mail NOC, group Managers`. */
function segmentText({ phase, when, targets }: ShownSegment): string {
  const names = targets.map(({ kind, name }) => (kind === '' ? plain(name) : `${plain(name)} (${kind})`))
  const shown = names.length === 0 ? 'nobody: what it notified was deleted' : names.join(', ')
  return `${PHASE_NAMES[phase]}: ${when}: ${shown}`
}
