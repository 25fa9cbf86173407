/** @jsxImportSource #jsx */
import {
  type DeadLetter,
  type ShownTransport,
  type TransportKind,
  type TransportTest,
  transportKind,
  transportKinds,
} from '../../../core/alerts/transports/admin.ts'
import { isAdmin } from '../../../core/base/actor.ts'
import { notFound } from '../../../core/base/errors.ts'
import { Button, Confirm, Form, Hidden } from '../../components/form.tsx'
import { Icon, Mark, Pill } from '../../components/icon.tsx'
import { Card, count, Empty, plain, Time, Words } from '../../components/values.tsx'
import { idOf, tickedIds } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, type PageRequest, page } from '../../page.ts'
import { AlertTabs } from '../alerts/parts.tsx'
import { sectionOf } from '../settings/sections.ts'
import { clearedOf, settingsOf } from './fields.tsx'
import { type Edited, Editor } from './form.tsx'
import { sendingOf, sendingText } from './sending.tsx'

export interface TransportsData {
  readonly transports: readonly ShownTransport[]
  readonly dead: readonly DeadLetter[]
  readonly deadTotal: number
  /** null: nothing is being edited. */
  readonly edited: Edited | null
}

const MAX_DEAD_LETTERS = 100

/** Where notifications go. */
export const alertTransportsPage = page<TransportsData>({
  path: '/alerts/transports',
  gate: 'AlertTemplate.viewAny',
  async load({ services, query, actor }) {
    const [transports, dead] = await Promise.all([services.transportAdmin.list(), services.transportAdmin.dead(actor)])
    const shown = { transports, dead: dead.slice(0, MAX_DEAD_LETTERS), deadTotal: dead.length }
    const stored = query.has('id') ? transports.find(({ id }) => id === idOf(query.get('id') ?? '')) : null
    const name = stored?.kind ?? query.get('new')
    const kind = transportKind(name)
    if ((query.has('id') || query.has('new')) && !isAdmin(actor)) throw notFound('not for this person')
    if (stored === undefined || (name !== null && kind === null)) throw notFound('no transport')
    return { ...shown, edited: kind === null ? null : { kind, stored } }
  },
  view(data, visit) {
    const { edited, deadTotal } = data
    return {
      title: 'Transports',
      crumbs: [
        { label: 'Alerts', href: '/alerts' },
        { label: 'Transports', ...(edited !== null && { href: '/alerts/transports' }) },
        ...(edited === null ? [] : [{ label: edited.stored === null ? 'New' : plain(edited.stored.name) }]),
      ],
      body: (
        <>
          <div class="head">
            <h1 dir="auto">{edited === null ? headline(data) : titleOf(edited)}</h1>
          </div>
          <AlertTabs visit={visit} here="/alerts/transports" />
          {edited === null ? (
            <div class="stack">
              <List data={data} visit={visit} />
              {isAdmin(visit.actor) ? <Kinds /> : null}
              {deadTotal === 0 ? null : <Dead data={data} visit={visit} />}
            </div>
          ) : (
            <Editor edited={edited} visit={visit} />
          )}
        </>
      ),
    }
  },
  actions: {
    async add(visit, form) {
      const kind = kindNamed(visit.query.get('new'))
      const sending = sendingOf(form)
      const id = await visit.services.transportAdmin.add(visit.actor, {
        kind: kind.name,
        name: (form.get('name') ?? '').trim(),
        isDefault: form.get('default') === '1',
        settings: Object.fromEntries(Object.entries(settingsOf(kind, form)).filter(([, value]) => value !== '')),
        rules: [],
      })
      await visit.services.transportAdmin.limit(visit.actor, id, sending)
      return { to: '/alerts/transports' }
    },
    async change(visit, form) {
      const { transportAdmin } = visit.services
      const id = idOf(visit.query.get('id') ?? '')
      const stored = (await transportAdmin.list()).find((one) => one.id === id)
      const kind = kindNamed(stored?.kind ?? null)
      const sending = sendingOf(form)
      await transportAdmin.change(visit.actor, id, {
        settings: settingsOf(kind, form),
        cleared: clearedOf(kind, form),
        isDefault: form.get('default') === '1',
      })
      await transportAdmin.limit(visit.actor, id, sending)
      return { to: '/alerts/transports' }
    },
    async remove(visit, form) {
      await visit.services.transportAdmin.remove(visit.actor, idOf(form.get('id')))
      return { to: '/alerts/transports' }
    },
    async test(visit, form) {
      const tested = await visit.services.transportAdmin.test(visit.actor, idOf(form.get('id')))
      const { delivery, tookMs } = tested
      const took = `${Math.round(tookMs)} ms`
      const blocks = blocksOf(tested)
      if (delivery.kind === 'delivered')
        return { notice: { tone: 'ok', text: `The test was delivered in ${took}.`, blocks } }
      const again = delivery.kind === 'retry' ? ' A notification would be retried.' : ''
      const text = `The test failed after ${took}: ${plain(delivery.reason)}.${again}`
      return { notice: { tone: 'bad', text, blocks } }
    },
    async resend(visit, form) {
      const n = await visit.services.transportAdmin.resend(visit.actor, lettersOf(form))
      return { notice: { tone: 'ok', text: `${n} ${n === 1 ? 'notification is' : 'notifications are'} being resent.` } }
    },
  },
})

/** What a test sent and what came back. */
const blocksOf = ({ exchanges }: TransportTest) =>
  exchanges.flatMap(({ request, answer }, i) => {
    const of = exchanges.length === 1 ? '' : ` ${i + 1} of ${exchanges.length}`
    return [
      { title: `Sent${of}`, text: request },
      { title: `Answer${of}`, text: answer ?? 'none' },
    ]
  })

/** Ticked notifications; null: all. */
function lettersOf(form: FormData): number[] | null {
  if (form.get('all') === '1') return null
  return tickedIds(form.keys(), 'letter', 15)
}

function kindNamed(name: string | null): TransportKind {
  const kind = transportKind(name)
  if (kind === null) throw notFound('no such kind')
  return kind
}

function headline({ transports, deadTotal }: TransportsData): string {
  const faulty = transports.filter(({ problems, noServer }) => problems.length > 0 || noServer).length
  if (transports.length === 0) return 'Nobody is notified yet'
  const [failing, ...others] = transports.filter((one) => one.failing !== null)
  if (failing !== undefined)
    return others.length === 0 ? `${plain(failing.name)} fails` : `${others.length + 1} transports are failing`
  if (deadTotal > 0)
    return `${count(deadTotal)} ${deadTotal === 1 ? 'notification was' : 'notifications were'} given up`
  if (faulty > 0) return `${faulty} of ${transports.length} transports cannot send`
  return transports.length === 1 ? 'One transport' : `${transports.length} transports`
}

const titleOf = ({ kind, stored }: Edited) =>
  stored === null ? `New transport: ${kind.title}` : `Transport: ${plain(stored.name)}`

function List({ data: { transports }, visit }: { readonly data: TransportsData; readonly visit: PageRequest }): Html {
  const mayChange = isAdmin(visit.actor)
  if (transports.length === 0) {
    return (
      <section class="card">
        <Empty title="No transports yet" help={['how-to/transports', 'How notifications are sent']}>
          <p>Alerts are raised and shown, but nobody is notified. Add a transport below.</p>
        </Empty>
      </section>
    )
  }
  return (
    <section class="card">
      <ul class="rows">
        {transports.map((one) => (
          <li class="wraps">
            {one.problems.length > 0 || one.noServer ? (
              <Mark tone="bad" label="cannot send" />
            ) : one.failing !== null ? (
              <Mark tone="bad" label="fails" />
            ) : one.dead > 0 ? (
              <Mark tone="warn" label="some given up" />
            ) : (
              <Mark tone="ok" label="ready" />
            )}
            <span class="grow" dir="auto">
              {mayChange ? (
                <a class="strong" href={`/alerts/transports?id=${one.id}`}>
                  {plain(one.name)}
                </a>
              ) : (
                <b>{plain(one.name)}</b>
              )}{' '}
              <span class="sub">{one.kind}</span> {one.default ? <Pill tone="off">Default</Pill> : null}
              <span class="l2 wrap">{usedBy(one)}</span>
              {one.failing === null ? null : (
                <span class="l2 t-bad">
                  Fails since <Time at={one.failing.since} nowMs={visit.nowMs} />: {plain(one.failing.error)}
                </span>
              )}
              {one.noServer ? (
                <span class="l2 wrap t-bad">Not sent: no mail server set. {mayChange ? <ServerLink /> : null}</span>
              ) : null}
              {one.problems.length === 0 ? null : <span class="l2 t-bad">{plain(one.problems.join('; '))}</span>}
            </span>
            {mayChange ? <RowActions one={one} visit={visit} /> : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

const ServerLink = () => (
  <a href={`/settings?section=${encodeURIComponent(sectionOf('email_smtp_host'))}#email_smtp_host`}>Set one for all</a>
)

function usedBy({ default: isDefault, rules, groups, waiting, dead, sending }: ShownTransport): string {
  const mapped = rules.length === 1 ? 'one rule' : `${count(rules.length)} rules`
  return [
    isDefault ? 'every rule without a transport of its own' : '',
    rules.length > 0 ? mapped : isDefault || groups.length > 0 ? '' : 'used by no rule',
    groups.length === 0 ? '' : `in ${groups.map(plain).join(', ')}`,
    sendingText(sending),
    waiting === 0 ? '' : `${count(waiting)} waiting`,
    dead === 0 ? '' : `${count(dead)} given up`,
  ]
    .filter(Boolean)
    .join(' · ')
}

function RowActions({ one, visit }: { readonly one: ShownTransport; readonly visit: PageRequest }): Html {
  const name = plain(one.name)
  return (
    <span class="acts">
      <Form visit={visit} name="test" line>
        <Hidden name="id" value={one.id} />
        <Button small label={`Test ${name}`}>
          Test
        </Button>
      </Form>
      <Confirm
        visit={visit}
        name="remove"
        label="Remove"
        question="Notifications waiting for it will not be sent."
        about={name}
        small
      >
        <Hidden name="id" value={one.id} />
      </Confirm>
    </span>
  )
}

const Kinds = () => (
  <Card title="Add a transport">
    <ul class="kinds">
      {transportKinds().map(({ name, title, about }) => (
        <li>
          <a href={`/alerts/transports?new=${name}`}>
            <Icon name="plus" />
            {title}
          </a>
          <span class="l2 wrap">
            <Words text={about} />
          </span>
        </li>
      ))}
    </ul>
  </Card>
)

function Dead({
  data: { dead, deadTotal },
  visit,
}: {
  readonly data: TransportsData
  readonly visit: PageRequest
}): Html {
  const mayChange = isAdmin(visit.actor)
  const rows = (
    <ul class="rows">
      {dead.map((letter) => (
        <li>
          {mayChange ? (
            <input type="checkbox" name={`letter-${letter.id}`} aria-label={`Select ${plain(letter.title)}`} />
          ) : null}
          <span class="grow" dir="auto">
            {plain(letter.title)}
            <span class="l2 wrap">
              {plain(letter.transport)} · {letter.attempts === 1 ? 'one attempt' : `${count(letter.attempts)} attempts`}{' '}
              · {plain(letter.error)}
            </span>
          </span>
          <Time at={letter.dead_at} nowMs={visit.nowMs} />
        </li>
      ))}
    </ul>
  )
  return (
    <Card title="Given up" sub={count(deadTotal)}>
      {mayChange ? (
        <Form visit={visit} name="resend" line>
          {rows}
          <div class="bulk">
            <Button>Resend selected</Button>
            <button class="btn" type="submit" name="all" value="1">
              Resend all {count(deadTotal)}
            </button>
          </div>
        </Form>
      ) : (
        rows
      )}
    </Card>
  )
}
