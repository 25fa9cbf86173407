/** @jsxImportSource #jsx */
import { isAdmin } from '../../../core/base/actor.ts'
import type { OnCallNow } from '../../../core/on-call/service.ts'
import { AddLink } from '../../components/form.tsx'
import { Card, count, Empty, plain } from '../../components/values.tsx'
import { page } from '../../page.ts'
import { AlertTabs } from '../alerts/parts.tsx'
import { NowText, Who } from './parts.tsx'

/** Who is on call now, in each schedule. */
export const onCallPage = page<readonly OnCallNow[]>({
  path: '/alerts/on-call',
  gate: 'Alert.viewAny',
  load: ({ services, actor }) => services.onCall.now(actor),
  view: (rows, visit) => ({
    title: 'On call',
    crumbs: [{ label: 'Alerts', href: '/alerts' }, { label: 'On call' }],
    body: (
      <>
        <div class="head">
          <h1>{headline(rows)}</h1>
          <span class="acts">
            {isAdmin(visit.actor) ? <AddLink href="/alerts/on-call/new">New schedule</AddLink> : null}
            {isAdmin(visit.actor) ? (
              <a class="btn" href="/alerts/on-call/people">
                People
              </a>
            ) : null}
            <a class="btn" href="/alerts/on-call/me">
              How I am reached
            </a>
          </span>
        </div>
        <AlertTabs visit={visit} here="/alerts/on-call" />
        <Card title="Schedules" sub={count(rows.length)}>
          {rows.length === 0 ? (
            <Empty title="No schedules yet" help={['how-to/on-call', 'How turns are planned']}>
              <p>
                A schedule says who is on call at what time, so that an operation can notify that person. Without one,
                rules notify their transports at any hour.
              </p>
            </Empty>
          ) : (
            <ul class="rows">
              {rows.map((row) => (
                <li>
                  <span class="grow">
                    <a class="name" href={`/alerts/on-call/${row.schedule.id}`} dir="auto">
                      {plain(row.schedule.name)}
                    </a>
                    <NowText row={row} />
                  </span>
                  <Who person={row.person} reachable={row.reachable} />
                </li>
              ))}
            </ul>
          )}
        </Card>
      </>
    ),
  }),
})

function headline(rows: readonly OnCallNow[]): string {
  const nobody = rows.filter(({ person }) => person === null).length
  const silent = rows.filter(({ reachable }) => !reachable).length
  if (rows.length === 0) return 'On call'
  if (nobody > 0) return `Nobody is on call in ${nobody} of ${rows.length} schedules`
  if (silent > 0) return `${silent} of those on call cannot be reached`
  return 'Somebody is on call in every schedule'
}
