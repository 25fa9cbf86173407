/** @jsxImportSource #jsx */
import type { PollerGroupRecord } from '../../../core/pollers/service.ts'
import type { Scan } from '../../../core/scans/scan.ts'
import { Button, Choice, Field, Form, kept, ofForm } from '../../components/form.tsx'
import { type Column, markColumn, pillColumn, Table } from '../../components/table.tsx'
import { Card, count, Empty, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, type PageRequest, page } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'
import { wholeOf } from '../add-device/request.ts'
import { FoundTabs } from '../found/tabs.tsx'
import { NetworkBoxes, networksOf } from './networks.tsx'
import { isFree, storeList } from './settings.ts'
import { progressText, SCAN_LOOKS, starterText } from './words.ts'

/** Networks that a row names. */
const NAMED = 3

interface ScansData {
  readonly rows: readonly Scan[]
  readonly nets: readonly string[]
  readonly excluded: readonly string[]
  readonly groups: readonly Pick<PollerGroupRecord, 'id' | 'group_name'>[]
  readonly rate: number
  /** Whether the actor may change the own networks here. */
  readonly mayEdit: boolean
}

/** Scans of the own networks: start one, and what the past ones found. */
export const scansPage = page<ScansData>({
  path: '/scans',
  gate: 'admin',
  async load(visit) {
    const { services, actor } = visit
    const { config, scans, pollers } = services
    const [rows, groups] = await Promise.all([scans.list(actor), pollers.groups(actor)])
    return {
      rows,
      groups,
      nets: config.get('nets'),
      excluded: config.get('autodiscovery.nets-exclude'),
      rate: config.get('autodiscovery.rate'),
      mayEdit: isFree(visit, 'nets') && isFree(visit, 'autodiscovery.nets-exclude'),
    }
  },
  view: (data, visit) => ({
    title: 'Scans',
    crumbs: [{ label: 'Found', href: '/found' }, { label: 'Scans' }],
    body: (
      <>
        <div class="head">
          <h1>Scans</h1>
          <p>A scan asks every address of your networks by ping and SNMP, and puts what answers into Found.</p>
        </div>
        <FoundTabs visit={visit} here="/scans" />
        <div class="cols">
          <section class="card">
            <Table
              columns={columns(visit.nowMs)}
              rows={data.rows}
              query={visit.query}
              caption="Scans, the latest first"
              empty={
                <Empty
                  title="No network has been scanned yet"
                  help={['how-to/find-devices', 'How networks are scanned']}
                />
              }
            />
          </section>
          <div class="stack">
            {data.nets.length === 0 ? null : <StartForm data={data} visit={visit} />}
            <OwnNetworks data={data} visit={visit} />
          </div>
        </div>
      </>
    ),
  }),
  actions: {
    async start(visit, form) {
      const group = wholeOf(form, 'group', 'Poller group', 0, 999_999_999)
      const options = { networks: networksOf(form), pollerGroup: group, rate: rateOf(form) }
      return { to: addressOf(await refusalsAsFormErrors(() => visit.services.scans.start(visit.actor, options))) }
    },

    async networks(visit, form) {
      const [nets, excluded] = [networksOf(form, 'nets'), networksOf(form, 'excluded')]
      await storeList(visit, 'nets', nets)
      await storeList(visit, 'autodiscovery.nets-exclude', excluded)
      return { to: '/scans' }
    },
  },
})

/** Where to look at scans that were started together. */
export const addressOf = (started: readonly Scan[]): string =>
  started.length === 1 && started[0] !== undefined ? `/scans/${started[0].id}` : '/scans'

const rateOf = (form: FormData) => wholeOf(form, 'rate', 'Requests per second', 1, 20_000)

function columns(nowMs: number): readonly Column<Scan>[] {
  const look = ({ state }: Scan) => SCAN_LOOKS[state]
  return [
    markColumn(look),
    {
      id: 'networks',
      label: 'Networks',
      class: 'full',
      cell: ({ id, networks, why }) => (
        <>
          <a class="name" href={`/scans/${id}`}>
            {plain(networks.slice(0, NAMED).join(', '))}
            {networks.length > NAMED ? ` and ${count(networks.length - NAMED)} more` : ''}
          </a>
          {why === null ? null : (
            <span class="l2 wrap" dir="auto">
              {plain(why)}
            </span>
          )}
        </>
      ),
    },
    pillColumn(look),
    { id: 'progress', label: 'Progress', class: 'full dim', cell: progressText },
    { id: 'added', label: 'Added', numeric: true, class: 'w3', cell: ({ counts }) => count(counts.added) },
    { id: 'known', label: 'Known', numeric: true, class: 'w3', cell: ({ counts }) => count(counts.known) },
    {
      id: 'started',
      label: 'Started',
      numeric: true,
      cell: ({ startedAt, startedBy }) => (
        <>
          <Time at={startedAt} nowMs={nowMs} />
          <span class="l2" dir="auto">
            {starterText({ startedBy })}
          </span>
        </>
      ),
    },
  ]
}

function StartForm({ data, visit: whole }: { readonly data: ScansData; readonly visit: PageRequest }): Html {
  const visit = ofForm(whole, 'start')
  return (
    <Card title="Start a scan">
      <Form visit={visit} name="start">
        <NetworkBoxes
          legend="Own networks"
          networks={data.nets.map((network) => ({ network, about: '', on: true }))}
          sent={visit.sent}
        />
        <Field
          id="networks"
          label="Other networks or addresses"
          rows={2}
          value={kept(visit, 'networks', '')}
          hint="Only what is inside of your own networks is asked."
        />
        <details class="more">
          <summary>More</summary>
          <div class="stack">
            {data.groups.length === 0 ? null : (
              <Choice
                visit={visit}
                id="group"
                label="Asked by the pollers of group"
                value=""
                options={[
                  { value: '', label: 'as set for the network' },
                  ...data.groups.map(({ id, group_name }) => ({ value: String(id), label: plain(group_name) })),
                ]}
              />
            )}
            <Field
              visit={visit}
              id="rate"
              label="Requests per second at most"
              type="number"
              min={1}
              max={20_000}
              placeholder={String(data.rate)}
            />
          </div>
        </details>
        <div class="acts">
          <Button first>Start scan</Button>
        </div>
      </Form>
    </Card>
  )
}

/** The networks that may be asked, and those left out; a form for those who may change settings. */
function OwnNetworks({ data, visit: whole }: { readonly data: ScansData; readonly visit: PageRequest }): Html {
  const visit = ofForm(whole, 'networks')
  const { nets, excluded, mayEdit } = data
  if (!mayEdit)
    return (
      <Card title="Own networks">
        <dl class="facts body">
          <dt>Networks</dt>
          <dd>{nets.length === 0 ? 'none: an administrator can set nets' : plain(nets.join(', '))}</dd>
          <dt>Left out</dt>
          <dd>{excluded.length === 0 ? 'none' : plain(excluded.join(', '))}</dd>
        </dl>
      </Card>
    )
  return (
    <Card title="Own networks">
      <Form visit={visit} name="networks">
        <Field
          id="nets"
          label="Networks"
          rows={Math.min(10, Math.max(3, nets.length))}
          maxLength={40_000}
          value={kept(visit, 'nets', nets.join('\n'))}
          placeholder="198.51.100.0/24"
          hint={
            <>
              One a line, setting <code>nets</code>. Nothing outside of them is ever asked. Roles without access to
              credentials may add devices in them.
            </>
          }
        />
        <Field
          id="excluded"
          label="Left out"
          rows={Math.min(10, Math.max(2, excluded.length))}
          maxLength={40_000}
          value={kept(visit, 'excluded', excluded.join('\n'))}
          hint={
            <>
              Networks and addresses that are never asked, setting <code>autodiscovery.nets-exclude</code>.
            </>
          }
        />
        <div class="acts">
          <Button>Save</Button>
        </div>
      </Form>
    </Card>
  )
}
