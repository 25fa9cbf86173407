/** @jsxImportSource #jsx */
import type { StorageFacts } from '../../../core/system/service.ts'
import { type KeepCost, keepCosts, MOST_DAYS, type StoredForm, storedForms } from '../../../core/system/storage.ts'
import {
  diskText,
  growthText,
  LEVELS,
  moreText,
  PACKING_ADVICE,
  packingText,
  sizeText,
  tableText,
} from '../../../core/system/storage-text.ts'
import { octetsText } from '../../../lib/measure.ts'
import { Button } from '../../components/form.tsx'
import { Pill } from '../../components/icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, Empty, plain, Time, Unknown } from '../../components/values.tsx'
import { page } from '../../page.ts'

interface DatabaseData {
  readonly facts: StorageFacts
  /** Days in the address; null: none, or no number of days. */
  readonly days: number | null
}

/** What the database holds, how far it is packed, how it grows, and what keeping samples for another time takes. */
export const databasePage = page<DatabaseData>({
  path: '/database',
  gate: 'Poller.viewAny',
  async load({ services, query }) {
    const text = query.get('days') ?? ''
    const days = /^\d{1,5}$/.test(text) ? Number(text) : 0
    return { facts: await services.system.storage(), days: days >= 1 && days <= MOST_DAYS ? days : null }
  },
  view: ({ facts, days }, visit) => ({
    title: 'Database',
    crumbs: [{ label: 'Pollers', href: '/pollers' }, { label: 'Database' }],
    body: (
      <>
        <div class="head">
          <h1>Database</h1>
          <p>{facts.warning === null ? `Growth: ${growthText(facts)}.` : `Warning: ${facts.warning.reason}.`}</p>
        </div>
        <div class="cols">
          <div class="stack">
            <Card title="Samples and roll-ups" sub="numbers of rows are estimates">
              <Table
                columns={formColumns(visit.nowMs)}
                rows={storedForms(facts.tables)}
                query={visit.query}
                caption="Samples and roll-ups"
                empty={
                  <Empty
                    title="No samples are stored yet"
                    help={['how-to/database-size', 'What is stored, and for how long']}
                  />
                }
              />
            </Card>
          </div>
          <div class="stack">
            <Card title="Size" right={facts.warning === null ? undefined : <Pill tone="warn">Disk is filling up</Pill>}>
              <dl class="facts">
                <dt>On disk</dt>
                <dd>{octetsText(facts.octets)}</dd>
                <dt>Growth</dt>
                <dd>{growthText(facts)}</dd>
                <dt>Disk</dt>
                <dd>{diskText(facts)}</dd>
                <dt>Packing</dt>
                <dd>{packingText(facts.packing)}</dd>
                {facts.packing.problems.map(({ rel, since, reason }) => (
                  <>
                    <dt>Packing fails</dt>
                    <dd>
                      {plain(`${tableText(rel)}: ${reason}; ${PACKING_ADVICE}`)}
                      <span class="l2">
                        since <Time at={since} nowMs={visit.nowMs} />
                      </span>
                    </dd>
                  </>
                ))}
              </dl>
            </Card>
            <Card title="If samples were kept for" sub="estimates">
              <Table
                columns={COST_COLUMNS}
                rows={keepCosts(facts.tables, days)}
                query={visit.query}
                caption="What keeping samples takes"
              />
              <div class="body">
                <form class="filters" method="get" action="/database">
                  <input
                    class="inp"
                    type="number"
                    name="days"
                    min="1"
                    max={String(MOST_DAYS)}
                    value={days === null ? '' : String(days)}
                    placeholder="days"
                    aria-label="Days to keep samples"
                  />
                  <Button>Estimate</Button>
                </form>
              </div>
            </Card>
          </div>
        </div>
      </>
    ),
  }),
})

const formColumns = (nowMs: number): readonly Column<StoredForm>[] => [
  { id: 'kind', label: 'Series', cell: ({ kind }) => <span class="name">{plain(kind)}</span> },
  { id: 'level', label: 'Level', cell: ({ level }) => LEVELS[level] },
  { id: 'form', label: 'Form', cell: ({ form }) => form },
  { id: 'kept', label: 'Kept', numeric: true, cell: ({ keepDays }) => `${count(keepDays)} d` },
  { id: 'oldest', label: 'Oldest', class: 'lab', cell: ({ oldest }) => <Time at={oldest} nowMs={nowMs} /> },
  { id: 'size', label: 'Size', numeric: true, cell: ({ octets }) => octetsText(octets) },
  { id: 'rows', label: 'Rows', numeric: true, class: 'lg', cell: ({ rows }) => count(rows) },
  {
    id: 'each',
    label: 'Bytes a row',
    numeric: true,
    cell: ({ perRow }) => (perRow === null ? <Unknown why="no rows in this form" /> : perRow.toFixed(1)),
  },
]

const NOT_YET = 'not known until a day of samples was stored in this form'

const COST_COLUMNS: readonly Column<KeepCost>[] = [
  { id: 'days', label: 'Days', numeric: true, cell: ({ days }) => count(days) },
  { id: 'rows', label: 'As rows', numeric: true, cell: ({ rows }) => sizeText(rows) ?? <Unknown why={NOT_YET} /> },
  {
    id: 'long',
    label: 'Packed',
    numeric: true,
    cell: ({ long, atMost }) =>
      long === null ? <Unknown why={NOT_YET} /> : `${atMost ? 'at most ' : ''}${octetsText(long)}`,
  },
  {
    id: 'more',
    label: 'More than now',
    numeric: true,
    cell: ({ more }) => moreText(more) ?? <Unknown why={NOT_YET} />,
  },
]
