/** @jsxImportSource #jsx */

import type { ChangeRow } from '../../../core/access/service.ts'
import { whoWords } from '../../../core/base/actor.ts'
import { isId } from '../../../core/base/ids.ts'
import { eventWords } from '../../../core/logs/event-words.ts'
import { type Column, Table } from '../../components/table.tsx'
import { DeviceText, Empty, plain, Time } from '../../components/values.tsx'
import { page } from '../../page.ts'
import { Frame } from './frame.tsx'

/** Who changed what and when, with the values before the change. */
export const auditPage = page<{ readonly rows: readonly ChangeRow[]; readonly before: number | null }>({
  path: '/settings/audit',
  gate: 'admin',
  async load({ services, actor, query }) {
    const given = Number(query.get('before'))
    const before = isId(given) ? given : null
    return { rows: await services.admin.changes(actor, before), before }
  },
  view: ({ rows, before }, { query, nowMs }) => ({
    title: 'Audit',
    crumbs: [{ label: 'Settings', href: '/settings' }, { label: 'Audit' }],
    body: (
      <Frame
        title="Audit"
        here="/settings/audit"
        lead="Who changed settings, users, roles, second factors, tokens, alert rules, templates, transports, groups, bills, services, maintenance windows and devices, with the previous values, and who acknowledged alerts. Secrets are not recorded."
      >
        <section class="card">
          {rows.length === 0 ? (
            <Empty
              title={before === null ? 'No changes on record' : 'No earlier changes'}
              help={['reference/pages#administration', 'What is recorded']}
            />
          ) : (
            <Table columns={columns(nowMs)} rows={rows} query={query} caption="Changes, latest first" />
          )}
          {rows.length < 200 ? null : (
            <nav class="pager" aria-label="Pages of the list">
              <a class="btn s-s" rel="next" href={`/settings/audit?before=${rows.at(-1)?.id}`}>
                Earlier
              </a>
            </nav>
          )}
        </section>
      </Frame>
    ),
  }),
})

const columns = (nowMs: number): readonly Column<ChangeRow>[] => [
  { id: 'at', label: 'When', class: 'nowrap', cell: ({ at }) => <Time at={at} nowMs={nowMs} clock /> },
  { id: 'who', label: 'Who', class: 'lab', cell: ({ username }) => plain(whoWords(username)) },
  { id: 'what', label: 'What', class: 'dim lab', cell: ({ subject }) => <DeviceText text={subject} /> },
  {
    id: 'message',
    label: 'Change',
    class: 'full',
    cell: ({ message }) => <span dir="auto">{plain(eventWords(message))}</span>,
  },
]
