/** @jsxImportSource #jsx */

import type { AlertInFull } from '../../../core/alerts/alert-list.ts'
import type { Until } from '../../../core/alerts/faults/service.ts'
import type { AlertChangeResult } from '../../../core/alerts/service.ts'
import { isOpen } from '../../../core/base/alert-states.ts'
import { invalid, notFound } from '../../../core/base/errors.ts'
import { Card, plain } from '../../components/values.tsx'
import { idOf, tickedIds } from '../../id.ts'
import { type ActionResult, type Form, type PageRequest, page } from '../../page.ts'
import { can, requireGate } from '../../permissions.ts'
import { Acknowledge } from './acknowledge.tsx'
import { type Around, Graphs, loadAround, Surroundings } from './around.tsx'
import { Facts } from './facts.tsx'
import { OpenFaults } from './faults.tsx'
import { Changes } from './history.tsx'
import { Matched } from './matched.tsx'
import { AlertPill, instantOf } from './parts.tsx'
import { Sent } from './sent.tsx'
import { untilOf } from './until.tsx'

interface AlertPageData extends AlertInFull {
  readonly around: Around
}

/** One alert: what matched, the notifications, and users' notes. */
export const alertPage = page<AlertPageData>({
  path: '/alerts/:id',
  gate: 'Alert.viewAny',
  scripts: ['chart.js'],
  async load(visit) {
    const data = await visit.services.alertList.find(visit.actor, idOf(visit.params['id']))
    return { ...data, around: await loadAround(visit, data) }
  },
  view(data, visit) {
    const { alert, what } = data
    const [only] = what
    const title =
      only !== undefined && what.length === 1 ? plain(only.words) : `${plain(alert.rule)} of ${plain(alert.device)}`
    return {
      title,
      crumbs: [{ label: 'Alerts', href: '/alerts' }, { label: plain(alert.rule) }],
      body: (
        <>
          <div class="title" data-live={`alert:${alert.id}`}>
            <h1 dir="auto">{title}</h1>
            <AlertPill {...alert} />
          </div>
          <div class="cols after">
            <div class="stack">
              <div class="stack" data-fresh="faults">
                {data.around.open.rows.length > 0 ? (
                  <OpenFaults data={data} faults={data.around.open} visit={visit} />
                ) : (
                  <Matched data={data} />
                )}
              </div>
              {can(visit, 'Alert.update') && isOpen(alert.state) ? (
                <Acknowledge alert={alert} several={data.around.open.total > 1} visit={visit} />
              ) : null}
              <Graphs data={data} around={data.around} visit={visit} />
              <div class="stack" data-fresh="past">
                <Card title="What happened">
                  <Changes rows={data.past} nowMs={visit.nowMs} named={false} />
                </Card>
                <Sent data={data} nowMs={visit.nowMs} />
              </div>
            </div>
            <div class="stack">
              <div data-fresh="facts">
                <Facts data={data} visit={visit} />
              </div>
              {alert.note === null ? null : (
                <Card title="Notes">
                  <ul class="rows">
                    {alert.note.split('\n').map((line) => (
                      <li dir="auto">{plain(line)}</li>
                    ))}
                  </ul>
                </Card>
              )}
              <Surroundings data={data} around={data.around} nowMs={visit.nowMs} />
            </div>
          </div>
        </>
      ),
    }
  },
  actions: {
    async acknowledge(visit, form) {
      requireGate(visit, 'Alert.update')
      const id = idOf(visit.params['id'])
      const how = { ...howOf(visit, form), seen: instantOf(form.get('seen')) }
      return outcome(id, await visit.services.alerts.acknowledge(visit.actor, id, how))
    },
    async faults(visit, form) {
      requireGate(visit, 'Alert.update')
      const ids = tickedIds(form.keys(), 'fault', 15)
      if (ids.length === 0) throw invalid('Tick one or more faults first, or acknowledge all')
      await visit.services.faults.acknowledge(visit.actor, ids, howOf(visit, form))
      return { to: `/alerts/${idOf(visit.params['id'])}` }
    },
    async unmute(visit, form) {
      requireGate(visit, 'Alert.update')
      const id = idOf(visit.params['id'])
      return outcome(id, await visit.services.alerts.unmute(visit.actor, id, (form.get('note') ?? '').trim()))
    },
    async note(visit, form) {
      requireGate(visit, 'Alert.update')
      const id = idOf(visit.params['id'])
      await visit.services.alertList.addNote(visit.actor, id, form.get('note') ?? '')
      return { to: `/alerts/${id}` }
    },
  },
})

const howOf = ({ nowMs }: PageRequest, form: Form): { readonly note: string; readonly until: Until } => ({
  note: (form.get('note') ?? '').trim(),
  until: untilOf(form.get('until') ?? 'worse', nowMs),
})

/** Where to go after a change; notices for an alert that was over before. */
function outcome(id: number, result: AlertChangeResult): ActionResult {
  if (result === 'absent') throw notFound('no alert')
  if (result === 'done') return { to: `/alerts/${id}` }
  return { notice: { tone: 'warn', text: 'This problem had already ended, so nothing was changed.' } }
}
