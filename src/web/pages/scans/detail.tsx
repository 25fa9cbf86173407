/** @jsxImportSource #jsx */
import type { Candidate } from '../../../core/candidates/candidate.ts'
import type { Scan } from '../../../core/scans/scan.ts'
import { Button, Form } from '../../components/form.tsx'
import { Pill } from '../../components/icon.tsx'
import { Table } from '../../components/table.tsx'
import { Card, count, Empty, plain, Share, Time } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Action, type PageRequest, page } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'
import { answered, outcomeOf } from '../add-devices/answer.ts'
import { type Outcome, Outcomes } from '../add-devices/view.tsx'
import { FIRST_RUN } from '../first-run/card.tsx'
import { acceptWork } from '../found/accept-work.ts'
import { candidateColumns } from '../found/columns.tsx'
import { NameChoice } from '../found/names.tsx'
import { FoundTabs } from '../found/tabs.tsx'
import { isGoing, pace, progressText, SCAN_LOOKS, starterText } from './words.ts'

/** Candidates that the page lists; all of them are accepted with one button. */
const LISTED = 100
/** Seconds after which the page is brought up to date while the scan runs. */
const RENEW_S = '1'

interface ScanData {
  readonly scan: Scan
  readonly candidates: readonly Candidate[]
  readonly waiting: number
  readonly outcome: Outcome | null
}

/** A scan: how far it is, what it has found, and why it found nothing. */
export const scanPage = page<ScanData>({
  path: '/scans/:id',
  gate: 'admin',
  async load(visit) {
    const { services, actor, params } = visit
    const scan = await services.scans.get(actor, idOf(params['id']))
    const { rows, total } = await services.candidates.list(actor, { scanId: scan.id, order: 'address', limit: LISTED })
    return { scan, candidates: rows, waiting: total, outcome: outcomeOf(visit) }
  },
  view: ({ scan, candidates, waiting, outcome }, visit) => ({
    title: `Scan of ${scan.networks[0] ?? ''}`,
    crumbs: [{ label: 'Found', href: '/found' }, { label: 'Scans', href: '/scans' }, { label: `Scan ${scan.id}` }],
    body: (
      <>
        <div class="head">
          <h1>
            Scan of {plain(scan.networks.slice(0, 3).join(', '))}
            {scan.networks.length > 3 ? ` and ${count(scan.networks.length - 3)} more` : ''}
          </h1>
        </div>
        <FoundTabs visit={visit} here="/scans" />
        <div class="cols">
          <div data-fresh="scan">
            <div class="stack" data-again={isGoing(scan) ? RENEW_S : null}>
              <Progress scan={scan} nowMs={visit.nowMs} />
              <Found scan={scan} candidates={candidates} waiting={waiting} visit={visit} />
            </div>
          </div>
          <div class="stack">
            {waiting === 0 && !isGoing(scan) ? null : <Accept scan={scan} visit={visit} />}
            <Outcomes outcome={outcome} title="Added" hint="Each device is shown here as it is added." />
            <Control scan={scan} visit={visit} />
          </div>
        </div>
      </>
    ),
  }),
  actions: {
    stop: change((visit, id) => visit.services.scans.stop(visit.actor, id)),
    resume: change((visit, id) => visit.services.scans.resume(visit.actor, id)),

    /** Accepts everything that the scan found and that still waits. */
    async accept(visit, form) {
      const id = idOf(visit.params['id'])
      return await answered(visit, form, acceptWork({ scanId: id }))
    },
  },
})

/** A form that changes the scan and leads back to it. */
function change(work: (visit: PageRequest, id: number) => Promise<unknown>): Action {
  return async (visit) => {
    const id = idOf(visit.params['id'])
    await refusalsAsFormErrors(() => work(visit, id))
    return { to: `/scans/${id}` }
  }
}

/** How far the scan is, and what it has met. */
function Progress({ scan, nowMs }: { readonly scan: Scan; readonly nowMs: number }): Html {
  const { counts, state, startedAt, endedAt, rate, why } = scan
  const [tone, word] = SCAN_LOOKS[state]
  const perSecond = pace(scan, nowMs)
  const refused = Object.entries(counts.refused).toSorted(([, a], [, b]) => b - a)
  return (
    <Card
      title="Progress"
      sub={<Pill tone={tone}>{word}</Pill>}
      right={isGoing(scan) ? <a href={`/scans/${scan.id}`}>Refresh</a> : undefined}
    >
      <div class="body stack">
        <p role="status">
          <b>{progressText(scan)}</b>{' '}
          <Share percent={counts.total === 0 ? null : (100 * counts.done) / counts.total} calm />
        </p>
        {why === null ? null : <p dir="auto">{plain(why)}</p>}
        {isGoing(scan) || counts.answeredPing <= counts.answeredSnmp ? null : (
          <p>
            Some answer ping and no SNMP. Do they have another community or SNMPv3 user?{' '}
            <a href={FIRST_RUN}>Scan with it</a>; what no device uses can be taken out of the settings snmp.community
            and snmp.v3 again.
          </p>
        )}
      </div>
      <dl class="facts body">
        <dt>Answered SNMP</dt>
        <dd>{count(counts.answeredSnmp)}</dd>
        {refused.slice(0, 8).map(([what, n]) => (
          <>
            <dt dir="auto">{plain(what).slice(0, 80)}</dt>
            <dd>{count(n)}</dd>
          </>
        ))}
        <dt>Answered ping</dt>
        <dd>{count(counts.answeredPing)}</dd>
        <dt>Silent</dt>
        <dd>{count(counts.silent)}</dd>
        <dt>Monitored already</dt>
        <dd>{count(counts.known)}</dd>
        <dt>Added at once</dt>
        <dd>{count(counts.added)}</dd>
        <dt>Ignored</dt>
        <dd>{count(counts.ignored)}</dd>
        <dt>Left out</dt>
        <dd>{count(counts.excluded)}</dd>
        <dt>Speed</dt>
        <dd>
          {perSecond === null ? '' : `${count(perSecond)} addresses/s, `}at most {count(rate)} requests/s
        </dd>
        <dt>Started</dt>
        <dd>
          <Time at={startedAt} nowMs={nowMs} /> <span dir="auto">{starterText(scan)}</span>
        </dd>
        {endedAt === null ? null : (
          <>
            <dt>Ended</dt>
            <dd>
              <Time at={endedAt} nowMs={nowMs} />
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}

/** What the scan found that still waits for somebody. */
function Found({
  scan,
  candidates,
  waiting,
  visit,
}: {
  readonly scan: Scan
  readonly candidates: readonly Candidate[]
  readonly waiting: number
  readonly visit: PageRequest
}): Html {
  return (
    <Card
      title="Found"
      sub={`${count(waiting)} waiting`}
      right={waiting === 0 ? undefined : <a href={`/found?scan=${scan.id}`}>Choose among them</a>}
    >
      <Table
        columns={candidateColumns(visit).filter(({ id }) => COLUMNS.has(id))}
        rows={candidates}
        query={visit.query}
        caption="What the scan found"
        empty={<Empty title={isGoing(scan) ? 'Nothing yet' : 'Nothing is left to decide'} />}
      />
      {waiting > candidates.length ? <footer>and {count(waiting - candidates.length)} more</footer> : null}
    </Card>
  )
}

/** Columns of the list on this page: the scan is not repeated. */
const COLUMNS = new Set(['name', 'what', 'ports', 'credentials', 'why'])

/** Accepts all of them at once. */
function Accept({ scan, visit }: { readonly scan: Scan; readonly visit: PageRequest }): Html {
  return (
    <Card title="Add them">
      <Form visit={visit} name="accept" probe>
        <NameChoice visit={visit} />
        <div class="acts">
          <Button first>Add all that were found</Button>
        </div>
        <p class="hint">
          Those that answer ping only are not added. <a href={`/found/accept?scan=${scan.id}`}>More options</a>, and the
          names before they are given.
        </p>
      </Form>
    </Card>
  )
}

function Control({ scan, visit }: { readonly scan: Scan; readonly visit: PageRequest }): Html {
  return (
    <div data-fresh="control">
      {isGoing(scan) ? (
        <Form visit={visit} name="stop" line>
          <Button>Stop the scan</Button>
        </Form>
      ) : scan.state === 'stopped' || scan.state === 'failed' ? (
        <Form visit={visit} name="resume" line>
          <Button>Resume the scan</Button>
        </Form>
      ) : (
        <a class="btn" href="/scans">
          Scan again
        </a>
      )}
    </div>
  )
}
