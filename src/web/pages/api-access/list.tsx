/** @jsxImportSource #jsx */
import type { TokenRecord } from '../../../core/access/tokens/service.ts'
import { notFound } from '../../../core/base/errors.ts'
import { Button, Confirm, Form, Hidden, ofForm } from '../../components/form.tsx'
import { Mark } from '../../components/icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, Empty, plain, Time } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { ChangeToken, NewToken, termsOf } from './form.tsx'
import { fresh, type Made, SCOPES } from './tokens.ts'

interface AccessData {
  readonly tokens: readonly TokenRecord[]
  readonly users: readonly string[]
  readonly made: Made | null
  /** The token being changed; null: the form is for a new one. */
  readonly chosen: TokenRecord | null
  /** Whether API v1 answers programs. */
  readonly isV1On: boolean
}

/** API tokens. Users see their own; administrators see all. */
export const apiAccessPage = page<AccessData>({
  path: '/api-access',
  gate: 'token',
  nav: { label: 'API access', icon: 'key', group: 'foot', order: 20 },
  async load({ services, actor, sent, query }) {
    const isAdmin = actor.roles.has('admin')
    const [tokens, users] = await Promise.all([
      services.tokens.list(isAdmin ? undefined : actor.username),
      isAdmin ? services.admin.users(actor) : [],
    ])
    const id = Number(sent?.get('do') === 'change' ? sent.get('id') : query.get('id'))
    return {
      tokens,
      chosen: tokens.find((token) => token.id === id) ?? null,
      users: users.map(({ username }) => username),
      made: sent === null ? null : (fresh.get(sent) ?? null),
      isV1On: services.config.get('api.v1.enabled'),
    }
  },
  view: ({ tokens, users, made, chosen, isV1On }, visit) => ({
    title: 'API access',
    crumbs: [{ label: 'API access' }],
    body: (
      <>
        <div class="head">
          <h1>API access</h1>
          <div class="acts">
            <a class="btn" href="/docs">
              API reference
            </a>
          </div>
          <p>
            A token works for both <code>/api/v0</code> and <code>/api/v1</code>
            {isV1On ? null : (
              <>
                {' '}
                (which is off: setting <code>api.v1.enabled</code> turns it on)
              </>
            )}
            . It has the permissions of its user; a read token cannot change anything.
          </p>
        </div>
        {made === null ? null : <Fresh made={made} origin={visit.origin} />}
        <div class="cols">
          <Card title="Tokens" sub={count(tokens.length)}>
            {tokens.length === 0 ? (
              <Empty
                title="No tokens yet"
                help={['how-to/give-access#read-only-and-expiring-tokens', 'Who gets a token, and for what']}
              />
            ) : (
              <Table columns={columns(visit)} rows={tokens} query={visit.query} caption="Tokens" />
            )}
          </Card>
          {chosen === null ? (
            <NewToken visit={ofForm(visit, 'create')} users={users} />
          ) : (
            <ChangeToken visit={ofForm(visit, 'change')} token={chosen} />
          )}
        </div>
      </>
    ),
  }),
  actions: {
    async create(visit, form) {
      const { services, actor } = visit
      const username = actor.roles.has('admin') ? form.get('user') || actor.username : actor.username
      const description = (form.get('description') ?? '').trim()
      const terms = termsOf(visit, form)
      const { id, token } = await services.tokens.create({ username, description, ...terms })
      const about = description === '' ? '' : `: ${description}`
      await services.admin.noteToken(actor, `API token ${id} of ${username} made${about}`)
      fresh.set(form, { id, token, description, dialect: terms.dialect })
      return { notice: { tone: 'ok', text: 'The token is ready.' } }
    },
    async change(visit, form) {
      const token = await owned(visit, idOf(form.get('id')))
      const terms = termsOf(visit, form)
      await visit.services.tokens.change(token.id, terms)
      await visit.services.admin.noteTokenTerms(visit.actor, token, terms)
      return { to: '/api-access' }
    },
    async revoke(visit, form) {
      const token = await owned(visit, idOf(form.get('id')))
      await visit.services.tokens.revoke(token.id)
      await visit.services.admin.noteToken(visit.actor, `API token ${token.id} of ${token.username} revoked`)
      return { to: '/api-access' }
    },
    async toggle(visit, form) {
      const token = await owned(visit, idOf(form.get('id')))
      await visit.services.tokens.setDisabled(token.id, token.disabled === 0)
      const word = token.disabled === 0 ? 'disabled' : 'enabled'
      await visit.services.admin.noteToken(visit.actor, `API token ${token.id} of ${token.username} ${word}`)
      return { to: '/api-access' }
    },
  },
})

/** A token of the actor; administrators may name any. Throws `not_found`. */
async function owned({ services, actor }: PageRequest, id: number): Promise<TokenRecord> {
  const list = await services.tokens.list(actor.roles.has('admin') ? undefined : actor.username)
  const token = list.find((one) => one.id === id)
  if (token === undefined) throw notFound(`Token ${id} does not exist`)
  return token
}

function Fresh({ made, origin }: { readonly made: Made; readonly origin: string }): Html {
  return (
    <section class="note ok" aria-live="polite">
      <Mark tone="ok" label={null} />
      <div class="grow stack">
        <div>
          <b dir="auto">{made.description === '' ? `Token ${made.id}` : `Token “${plain(made.description)}”`}.</b>{' '}
          <span class="dim">Copy it now: it is not shown again, because only its hash is stored.</span>
          {made.dialect === null ? null : <span class="l2">It answers in dialect {made.dialect}.</span>}
        </div>
        <div class="secret">
          <code id="token">{made.token}</code>
          <button class="btn s-s" type="button" data-copy="token" hidden>
            Copy
          </button>
        </div>
        <pre class="pre wrap" id="curl" tabindex="0">
          {`curl -H 'X-Auth-Token: ${made.token}' ${origin}/api/v0/devices`}
        </pre>
        <div class="acts">
          <button class="btn s-s" type="button" data-copy="curl" hidden>
            Copy the curl command
          </button>
          <a class="btn s-s" href="/api-access">
            Done
          </a>
        </div>
      </div>
    </section>
  )
}

const columns = (visit: PageRequest): readonly Column<TokenRecord>[] => [
  {
    id: 'description',
    label: 'Description',
    cell: ({ id, description, username, disabled, expires_at }) => (
      <>
        <span class="name" dir="auto">
          {plain(description) || `Token ${id}`}
        </span>
        <span class="l2">of {plain(username)}</span>
        {disabled === 1 ? <span class="l2">disabled</span> : null}
        {isOver(expires_at, visit.nowMs) ? <span class="l2 t-bad">expired: requests get 401</span> : null}
      </>
    ),
  },
  {
    id: 'scope',
    label: 'Scope',
    class: 'lab nowrap',
    cell: ({ scope, dialect }) => (
      <>
        {SCOPES[scope]}
        {dialect === null ? null : <span class="l2">{dialect}</span>}
      </>
    ),
  },
  {
    id: 'expires',
    label: 'Expires',
    class: 'lab nowrap',
    cell: ({ expires_at }) => (expires_at === null ? 'never' : <Ends at={expires_at} nowMs={visit.nowMs} />),
  },
  {
    id: 'made',
    label: 'Created',
    class: 'lab nowrap lg',
    cell: ({ created_at }) => <Time at={created_at} nowMs={visit.nowMs} />,
  },
  {
    id: 'used',
    label: 'Last used',
    class: 'lab nowrap',
    cell: ({ last_used_at }) => (last_used_at === null ? 'never' : <Time at={last_used_at} nowMs={visit.nowMs} />),
  },
  {
    id: 'act',
    label: 'Action',
    quiet: true,
    class: 'r',
    cell: ({ id, description, disabled }) => (
      <span class="acts nowrap">
        <a class="btn s-s" href={`/api-access?id=${id}`} aria-label={`Change ${plain(description)}`}>
          Change
        </a>
        <Form visit={visit} name="toggle" line>
          <Hidden name="id" value={id} />
          <Button small label={`${disabled === 1 ? 'Enable' : 'Disable'} ${plain(description)}`}>
            {disabled === 1 ? 'Enable' : 'Disable'}
          </Button>
        </Form>
        <Confirm
          visit={visit}
          name="revoke"
          label="Revoke"
          question="Programs that use it will get 401 immediately."
          about={plain(description)}
          small
        >
          <Hidden name="id" value={id} />
        </Confirm>
      </span>
    ),
  },
]

const isOver = (at: Date | null, nowMs: number) => at !== null && at.getTime() <= nowMs

/** When a token expires or expired. */
const Ends = ({ at, nowMs }: { readonly at: Date; readonly nowMs: number }): Html =>
  isOver(at, nowMs) ? (
    <b class="t-bad">
      <Time at={at} nowMs={nowMs} />
    </b>
  ) : (
    <Time at={at} nowMs={nowMs} clock />
  )
