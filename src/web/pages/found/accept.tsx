/** @jsxImportSource #jsx */
import type { Candidate } from '../../../core/candidates/candidate.ts'
import type { DeviceGroupRecord } from '../../../core/groups/device-groups.ts'
import type { PollerGroupRecord } from '../../../core/pollers/service.ts'
import { Button, Check, Choice, Field, Form, Hidden, ofForm } from '../../components/form.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { addressText, Card, count, DeviceText, Empty, plain, Time, Unknown } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { can, refusalsAsFormErrors } from '../../permissions.ts'
import { answered, outcomeOf } from '../add-devices/answer.ts'
import { type Outcome, Outcomes } from '../add-devices/view.tsx'
import { acceptWork, type Chosen, candidatesOf } from './accept-work.ts'
import { idsOf } from './chosen.ts'
import { SourceLink } from './columns.tsx'
import { NAME_RULE_WORDS, NAME_RULES, NameChoice, type NameRule } from './names.tsx'
import { addressWords, whatText } from './words.ts'

/** Longest name in the heading, characters. */
const MAX_TITLE = 80
/** Device groups that are offered. */
const GROUPS = 50

/** A candidate with the names it would get by each rule; null: there is no such name. */
interface Named {
  readonly candidate: Candidate
  readonly names: Readonly<Record<NameRule, string | null>>
}

interface AcceptData {
  readonly rows: readonly Named[]
  /** The monitored device that the only candidate probably is; null: none. */
  readonly moved: { readonly id: number; readonly name: string } | null
  readonly pollerGroups: readonly Pick<PollerGroupRecord, 'id' | 'group_name'>[]
  readonly deviceGroups: readonly Pick<DeviceGroupRecord, 'id' | 'name'>[]
  readonly outcome: Outcome | null
}

const chosenOf = ({ query }: PageRequest): Chosen =>
  query.has('scan') ? { scanId: idOf(query.get('scan')) } : { ids: idsOf(query.get('ids')) }

/** Accepts candidates: one, with all that is known of it, or several, with the names they would get. */
export const acceptPage = page<AcceptData>({
  path: '/found/accept',
  gate: 'Device.create',
  load,
  view: (data, visit) => {
    const [only] = data.rows
    const title =
      data.rows.length === 1 && only !== undefined
        ? plain(only.candidate.name).slice(0, MAX_TITLE)
        : 'Accept candidates'
    return {
      title,
      crumbs: [{ label: 'Found', href: '/found' }, { label: title }],
      body: (
        <>
          <div class="head">
            <h1 class="wrap" dir="auto">
              {title}
            </h1>
          </div>
          {data.rows.length === 0 && data.outcome === null ? (
            <section class="card">
              <Empty title="None of them waits any more">
                <a class="btn" href="/found">
                  Found
                </a>
              </Empty>
            </section>
          ) : (
            <Content data={data} visit={visit} />
          )}
        </>
      ),
    }
  },
  actions: {
    accept: async (visit, form) => await answered(visit, form, acceptWork(chosenOf(visit))),

    async ignore(visit, form) {
      await refusalsAsFormErrors(() => visit.services.candidates.ignore(visit.actor, [idOf(form.get('id'))]))
      return { to: '/found' }
    },

    /** The device gets the address of the candidate. */
    async move(visit, form) {
      const id = idOf(form.get('id'))
      const deviceId = await refusalsAsFormErrors(() => visit.services.candidates.acceptMove(visit.actor, id))
      return { to: `/device/${deviceId}` }
    },
  },
})

async function load(visit: PageRequest): Promise<AcceptData> {
  const { services, actor } = visit
  const candidates = await candidatesOf(visit, chosenOf(visit))
  const [first] = candidates
  const single = candidates.length === 1 && first !== undefined ? first : null
  const [names, pollerGroups, deviceGroups, device] = await Promise.all([
    candidates.length === 0
      ? []
      : services.candidates.namePreview(
          actor,
          candidates.map(({ id }) => id),
        ),
    can(visit, 'PollerGroup.viewAny') ? services.pollers.groups(actor) : [],
    can(visit, 'DeviceGroup.update') ? services.deviceGroups.list(actor) : [],
    single === null || single.movedFrom === null ? null : services.devices.visible(actor, String(single.movedFrom)),
  ])
  const named = new Map(names.map((one) => [one.candidateId, one.names]))
  return {
    rows: candidates.map((candidate) => ({ candidate, names: named.get(candidate.id) ?? NAMELESS })),
    moved: device === null ? null : { id: device.device_id, name: device.hostname },
    pollerGroups,
    deviceGroups: deviceGroups.filter(({ type }) => type !== 'dynamic').slice(0, GROUPS),
    outcome: outcomeOf(visit),
  }
}

const NAMELESS: Named['names'] = { dns: null, sysname: null, address: null }

function Content({ data, visit }: { readonly data: AcceptData; readonly visit: PageRequest }): Html {
  const { rows, moved } = data
  const [only] = rows
  return (
    <div class="cols">
      <div class="stack">
        {moved === null || only === undefined ? null : (
          <Moved device={moved} candidate={only.candidate} visit={visit} />
        )}
        {rows.length === 1 && only !== undefined ? <Facts candidate={only.candidate} visit={visit} /> : null}
        {rows.length === 0 ? null : (
          <Card title="Names they would get" sub={count(rows.length)}>
            <Table columns={COLUMNS} rows={rows} query={visit.query} caption="Names that they would get" />
          </Card>
        )}
        <Outcomes
          outcome={data.outcome}
          title="Results"
          hint="Each device is shown here as it is added. Those that cannot be added stay in Found, with the reason."
        />
      </div>
      {rows.length === 0 ? null : <Options data={data} visit={visit} />}
    </div>
  )
}

const COLUMNS: readonly Column<Named>[] = [
  {
    id: 'candidate',
    label: 'Candidate',
    class: 'full',
    cell: ({ candidate }) => (
      <>
        <b dir="auto">{plain(candidate.name)}</b>
        <span class="l2">{addressWords(candidate) ?? 'no address known'}</span>
      </>
    ),
  },
  { id: 'what', label: 'What it is', class: 'lab', cell: ({ candidate }) => <DeviceText text={whatText(candidate)} /> },
  ...NAME_RULES.map(
    (rule): Column<Named> => ({
      id: rule,
      label: `by ${NAME_RULE_WORDS[rule]}`,
      class: 'lab',
      cell: ({ names }) =>
        names[rule] === null ? <Unknown why="there is no such name" /> : <span dir="auto">{plain(names[rule])}</span>,
    }),
  ),
]

/** The device has probably got another address. */
function Moved({
  device,
  candidate,
  visit,
}: {
  readonly device: NonNullable<AcceptData['moved']>
  readonly candidate: Candidate
  readonly visit: PageRequest
}): Html {
  return (
    <div class="note warn">
      <div class="grow">
        <b>
          This is probably{' '}
          <a href={`/device/${device.id}`} dir="auto">
            {plain(device.name)}
          </a>
          .
        </b>{' '}
        <span dir="auto">{plain(candidate.why)}</span>. Any host can claim a name, a serial number or a MAC address:
        make sure that it is the device before you change its address, because its credentials are then sent to{' '}
        {addressWords(candidate)}.
      </div>
      {can(visit, 'Device.update') ? (
        <Form visit={visit} name="move" to={addressOf(visit)} line>
          <Hidden name="id" value={candidate.id} />
          <Button small>Change its address</Button>
        </Form>
      ) : null}
    </div>
  )
}

/** All that is known of a candidate. */
function Facts({ candidate, visit }: { readonly candidate: Candidate; readonly visit: PageRequest }): Html {
  const { sysDescr, addresses, sources, credentials, why, firstSeen, lastSeen, ports } = candidate
  return (
    <Card
      title="What is known of it"
      right={
        candidate.state === 'new' ? (
          <Form visit={visit} name="ignore" to={addressOf(visit)} line>
            <Hidden name="id" value={candidate.id} />
            <Button small>Ignore</Button>
          </Form>
        ) : undefined
      }
    >
      <dl class="facts body">
        <dt>What it is</dt>
        <dd>
          <DeviceText text={whatText(candidate)} long />
        </dd>
        <dt>sysDescr</dt>
        <dd>
          <DeviceText text={sysDescr} long />
        </dd>
        <dt>sysObjectID</dt>
        <dd>{candidate.sysObjectId === null ? <Unknown /> : plain(candidate.sysObjectId)}</dd>
        <dt>Ports</dt>
        <dd>{ports === null ? <Unknown /> : count(ports)}</dd>
        <dt>Addresses</dt>
        <dd>{addresses.length === 0 ? <Unknown /> : addresses.slice(0, 100).map(addressText).join(', ')}</dd>
        <dt>Seen by</dt>
        <dd>
          {sources.length === 0 ? <Unknown /> : null}
          {sources.slice(0, 20).map((source) => (
            <div>
              <SourceLink source={source} visit={visit} /> <Time at={source.lastSeen} nowMs={visit.nowMs} />
            </div>
          ))}
        </dd>
        <dt>Credentials</dt>
        <dd>{credentials === null ? 'none worked, or none was tried' : plain(credentials)}</dd>
        <dt>Why it is here</dt>
        <dd dir="auto">{plain(why)}</dd>
        <dt>Seen</dt>
        <dd>
          first <Time at={firstSeen} nowMs={visit.nowMs} />, last <Time at={lastSeen} nowMs={visit.nowMs} />
        </dd>
      </dl>
    </Card>
  )
}

/** The address of the page with what is chosen, for its forms. */
const addressOf = ({ url }: PageRequest) => `${url.pathname}${url.search}`

function Options({ data, visit: whole }: { readonly data: AcceptData; readonly visit: PageRequest }): Html {
  const visit = ofForm(whole, 'accept')
  const { rows, pollerGroups, deviceGroups } = data
  return (
    <Card title={rows.length === 1 ? 'Add it' : `Add ${count(rows.length)} devices`}>
      <Form visit={visit} name="accept" to={addressOf(visit)} probe>
        <NameChoice visit={visit} />
        {rows.length === 1 ? (
          <Field visit={visit} id="hostname" label="Name or address" hint="Empty: the name chosen above." />
        ) : null}
        {pollerGroups.length === 0 ? null : (
          <Choice
            visit={visit}
            id="poller_group"
            label="Poller group"
            value=""
            options={[
              { value: '', label: 'whose pollers found it' },
              ...pollerGroups.map(({ id, group_name }) => ({ value: String(id), label: plain(group_name) })),
            ]}
          />
        )}
        <Field visit={visit} id="location" label="Location" hint="Empty: the device's sysLocation." />
        {deviceGroups.length === 0 ? null : (
          <fieldset class="field">
            <legend>Device groups</legend>
            {deviceGroups.map(({ id, name }) => (
              <Check visit={visit} name={`group-${id}`} label={<span dir="auto">{plain(name)}</span>} on={false} />
            ))}
          </fieldset>
        )}
        <Check visit={visit} name="ping_only" label="Monitor by ping only where SNMP does not answer" on={false} />
        <div class="acts">
          <Button first>{rows.length === 1 ? 'Add device' : 'Add devices'}</Button>
        </div>
      </Form>
      <footer>The credentials that worked are used; the others of the settings are not tried again.</footer>
    </Card>
  )
}
