/** @jsxImportSource #jsx */

import type { SessionRecord } from '../../../core/access/sign-in/sessions.ts'
import type { Browser } from '../../../core/alerts/push/service.ts'
import { forbidden, invalid } from '../../../core/base/errors.ts'
import { agentWord } from '../../components/agent.ts'
import { Button, Field, Form, Hidden } from '../../components/form.tsx'
import { Qr } from '../../components/qr.tsx'
import { Card, Time } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { Notifications } from './notifications.tsx'

interface AccountData {
  readonly sessions: readonly SessionRecord[]
  readonly factor: { readonly on: boolean; readonly recovery: number }
  /** A secret whose first code has not been entered yet; null: setup was not started. */
  readonly begun: { readonly secret: string; readonly url: string } | null
  readonly browsers: readonly Browser[]
  readonly pushKey: string
}

function userId({ actor }: PageRequest): number {
  if (actor.userId === null) throw forbidden('no user')
  return actor.userId
}

/** Password, second factor and sessions of the signed-in user. */
export const accountPage = page<AccountData>({
  path: '/account',
  gate: 'token',
  async load(visit) {
    const { sessions, push } = visit.services
    const [list, factor, browsers, pushKey] = await Promise.all([
      sessions.list(visit.actor),
      sessions.factors.state(userId(visit)),
      push.list(visit.actor),
      push.publicKey(),
    ])
    const wanted = !factor.on && visit.query.get('factor') === 'new'
    const begun = wanted ? await sessions.factors.begin(userId(visit), visit.actor.username) : null
    return { sessions: list, factor, begun, browsers, pushKey }
  },
  view: (data, visit) => ({
    title: 'Account',
    crumbs: [{ label: 'Account' }],
    body: (
      <>
        <div class="head">
          <h1>{visit.actor.username}</h1>
          <p>{[...visit.actor.roles].join(', ') || 'no role'}</p>
        </div>
        <div class="stack narrow">
          {visit.session.method !== 'password' ? null : <Password visit={visit} />}
          {visit.session.method !== 'password' ? null : <Factor data={data} visit={visit} />}
          <Notifications browsers={data.browsers} publicKey={data.pushKey} visit={visit} />
          <Sessions data={data} visit={visit} />
        </div>
      </>
    ),
  }),
  actions: {
    async password(visit, form) {
      const [before, after, again] = ['before', 'after', 'again'].map((name) => form.get(name) ?? '')
      if (after !== again) throw invalid('The new passwords do not match')
      await visit.services.sessions.changePassword(visit.session, before ?? '', after ?? '', visit.address)
      await visit.services.admin.noteOwn(visit.actor, 'password changed, other sessions ended')
      return { notice: { tone: 'ok', text: 'The password was changed, and all other sessions were ended.' } }
    },
    async 'factor-begin'() {
      return { to: '/account?factor=new' }
    },
    async 'factor-confirm'(visit, form) {
      const lines = await visit.services.sessions.factors.confirm(userId(visit), form.get('code') ?? '')
      await visit.services.admin.noteOwn(visit.actor, 'second factor set up')
      return {
        notice: {
          tone: 'ok',
          text: 'The second factor is on. Save these recovery codes: they are not shown again, and each works once.',
          lines,
        },
      }
    },
    async 'factor-remove'(visit, form) {
      const { services, actor, address } = visit
      if (!(await services.users.checkPassword(actor.username, form.get('password') ?? '', address)))
        throw invalid('The password is wrong')
      await services.sessions.factors.remove(userId(visit))
      await services.admin.noteOwn(actor, 'second factor removed')
      return { notice: { tone: 'ok', text: 'The second factor was removed.' } }
    },
    async 'push-add'(visit, form) {
      const { push, sessions } = visit.services
      const session = (await sessions.list(visit.actor)).find(({ id }) => id === visit.session.id)
      await push.add(visit.actor, form.get('subscription') ?? '', session?.agent ?? '')
      return { notice: { tone: 'ok', text: 'Notifications are on in this browser. Send a test to see one.' } }
    },
    async 'push-remove'(visit, form) {
      await visit.services.push.remove(visit.actor, idOf(form.get('id')))
      return { to: '/account' }
    },
    async 'push-test'(visit) {
      const { delivery } = await visit.services.push.test(visit.actor)
      if (delivery.kind === 'delivered')
        return { notice: { tone: 'ok', text: 'The push services of your browsers accepted the test.' } }
      return { notice: { tone: 'bad', text: `The test failed: ${delivery.reason}.` } }
    },
    async revoke(visit, form) {
      await visit.services.sessions.revoke(visit.actor, idOf(form.get('id')))
      return { to: '/account' }
    },
    async 'revoke-others'(visit) {
      await visit.services.sessions.revokeOthers(visit.session)
      return { to: '/account' }
    },
  },
})

function Password({ visit }: { readonly visit: PageRequest }): Html {
  return (
    <Card title="Password">
      <Form visit={visit} name="password">
        <Field id="before" label="Current password" type="password" autocomplete="current-password" required />
        <Field
          id="after"
          label="New password, at least 8 characters"
          type="password"
          autocomplete="new-password"
          required
        />
        <Field id="again" label="New password again" type="password" autocomplete="new-password" required />
        <div class="acts">
          <Button first>Change password</Button>
        </div>
      </Form>
    </Card>
  )
}

function Factor({ data: { factor, begun }, visit }: { readonly data: AccountData; readonly visit: PageRequest }): Html {
  if (factor.on) {
    return (
      <Card title="Second factor" sub={`on, ${factor.recovery} recovery codes left`}>
        <Form visit={visit} name="factor-remove">
          <Field id="password" label="Current password" type="password" autocomplete="current-password" required />
          <div class="acts">
            <Button>Remove second factor</Button>
          </div>
        </Form>
      </Card>
    )
  }
  if (begun === null) {
    return (
      <Card title="Second factor" sub="off">
        <Form visit={visit} name="factor-begin">
          <p class="hint">A code from an authenticator app (TOTP), asked for after the password.</p>
          <div class="acts">
            <Button>Set up</Button>
          </div>
        </Form>
      </Card>
    )
  }
  return (
    <Card title="Second factor" sub="waiting for its first code">
      <Form visit={visit} name="factor-confirm">
        <p class="hint">
          Scan this with your authenticator app, or enter the secret by hand. Then enter the code that the app shows.
        </p>
        <Qr text={begun.url} label="The secret as a QR code for the authenticator app" />
        <div class="secret">
          <code>{begun.secret}</code>
        </div>
        <a class="mono" href={begun.url}>
          {begun.url}
        </a>
        <Field id="code" label="Code" type="text" autocomplete="one-time-code" required />
        <div class="acts">
          <Button first>Turn on</Button>
        </div>
      </Form>
    </Card>
  )
}

function Sessions({ data: { sessions }, visit }: { readonly data: AccountData; readonly visit: PageRequest }): Html {
  return (
    <Card title="Sessions" sub={sessions.length}>
      <ul class="rows">
        {sessions.map(({ id, address, agent, created_at, seen_at }) => (
          <li>
            <span class="grow" dir="auto">
              {agentWord(agent)}
              {id === visit.session.id ? <b> · this session</b> : null}
              <span class="l2">
                {address} · signed in <Time at={created_at} nowMs={visit.nowMs} /> · last used{' '}
                <Time at={seen_at} nowMs={visit.nowMs} />
              </span>
            </span>
            <Form visit={visit} name="revoke" line>
              <Hidden name="id" value={id} />
              <Button small label={`End the session from ${address}`}>
                End
              </Button>
            </Form>
          </li>
        ))}
      </ul>
      {sessions.length < 2 ? null : (
        <Form visit={visit} name="revoke-others">
          <div class="acts">
            <Button>End all other sessions</Button>
          </div>
        </Form>
      )}
    </Card>
  )
}
