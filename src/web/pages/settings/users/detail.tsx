/** @jsxImportSource #jsx */
import type { UserRecord } from '../../../../core/access/users/service.ts'
import { agentWord } from '../../../components/agent.ts'
import { Button, Choice, Field, Form, Hidden, kept } from '../../../components/form.tsx'
import { Pill } from '../../../components/icon.tsx'
import { Card, count, Empty, plain, Time } from '../../../components/values.tsx'
import type { Html } from '../../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../../page.ts'
import { Identities } from '../identities.tsx'
import { Roles } from './form.tsx'
import type { OneUser } from './load.ts'
import { ADDRESS, KINDS, refOf } from './names.ts'

/** A user: grants and sessions, roles, ways to sign in, and whether the user may. */
export function One({ one, roles, visit }: Props & { readonly roles: readonly string[] }): Html {
  const { user, identities } = one
  return (
    <div class="cols">
      <div class="stack">
        <Grants one={one} visit={visit} />
        <Sessions one={one} visit={visit} />
      </div>
      <div class="stack">
        <RolesOf one={one} roles={roles} visit={visit} />
        <Identities username={refOf(user)} identities={identities} visit={visit} to={ADDRESS} />
        <NewPassword one={one} visit={visit} />
        <ViewAs one={one} visit={visit} />
        <SecondFactor one={one} visit={visit} />
        <EnableOrDelete one={one} visit={visit} />
      </div>
    </div>
  )
}

function RolesOf({ one: { user }, roles, visit }: Props & { readonly roles: readonly string[] }): Html {
  return (
    <Card title="Roles" right={user.enabled === 1 ? <Pill tone="ok">Enabled</Pill> : <Pill tone="off">Disabled</Pill>}>
      <Form visit={visit} name="roles" to={ADDRESS}>
        <Self user={user} />
        <Roles roles={roles} on={(role) => user.roles.includes(role)} />
        <div class="acts">
          <Button first>Save</Button>
        </div>
      </Form>
    </Card>
  )
}

function NewPassword({ one: { user }, visit }: Props): Html {
  return (
    <Card title="New password" sub="ends the user's sessions">
      <Form visit={visit} name="password" to={ADDRESS}>
        <Self user={user} />
        <Field id="password" label="Password, at least 8 characters" type="password" required />
        <Field id="again" label="Again" type="password" required />
        <div class="acts">
          <Button>Set password</Button>
        </div>
      </Form>
    </Card>
  )
}

function ViewAs({ one: { user }, visit }: Props): Html {
  return (
    <Card title="View as" sub="read-only">
      <Form visit={visit} name="view-as" to={ADDRESS}>
        <Self user={user} />
        <p class="hint">Open the pages as this user sees them. Nothing can be changed meanwhile.</p>
        <div class="acts">
          <Button>{`View as ${plain(user.username)}`}</Button>
        </div>
      </Form>
    </Card>
  )
}

function SecondFactor({ one: { user }, visit }: Props): Html {
  return (
    <Card title="Second factor" sub={user.second_factor ? 'on' : 'off'}>
      {user.second_factor ? (
        <Form visit={visit} name="remove-factor" to={ADDRESS}>
          <Self user={user} />
          <p class="hint">
            If the authenticator and the recovery codes are lost: the user then signs in with the password alone, and
            can set up another. Ends the user's sessions.
          </p>
          <div class="acts">
            <Button danger>Remove second factor</Button>
          </div>
        </Form>
      ) : (
        <p class="hint body">Users set it up themselves, under Account.</p>
      )}
    </Card>
  )
}

function EnableOrDelete({ one: { user }, visit }: Props): Html {
  const isOn = user.enabled === 1
  return (
    <Card title={isOn ? 'Disable or delete' : 'Enable or delete'}>
      <Form visit={visit} name={isOn ? 'disable' : 'enable'} to={ADDRESS}>
        <Self user={user} />
        <p class="hint">
          {isOn
            ? 'A disabled user cannot sign in, its sessions are over for good, and requests with its tokens get 401.'
            : 'The user can sign in again once enabled.'}
        </p>
        <div class="acts">
          <Button>{isOn ? 'Disable' : 'Enable'}</Button>
        </div>
      </Form>
      <Form visit={visit} name="delete" to={ADDRESS}>
        <Self user={user} />
        <Field id="confirm" label={`To confirm, enter the username: ${plain(user.username)}`} required />
        <div class="acts">
          <Button danger>Delete user</Button>
        </div>
      </Form>
    </Card>
  )
}

function Sessions({ one: { user, sessions }, visit }: Props): Html {
  return (
    <Card title="Sessions" sub={count(sessions.length)}>
      <ul class="rows">
        {sessions.map(({ id, address, agent, created_at, seen_at }) => (
          <li>
            <span class="grow" dir="auto">
              {agentWord(agent)}
              <span class="l2">
                {address} · signed in <Time at={created_at} nowMs={visit.nowMs} /> · last used{' '}
                <Time at={seen_at} nowMs={visit.nowMs} />
              </span>
            </span>
            <Form visit={visit} name="session" to={ADDRESS} line>
              <Self user={user} />
              <Hidden name="id" value={id} />
              <Button small label={`End the session from ${address}`}>
                End
              </Button>
            </Form>
          </li>
        ))}
      </ul>
      {sessions.length === 0 ? (
        <p class="hint body">Not signed in.</p>
      ) : (
        <Form visit={visit} name="sessions" to={ADDRESS}>
          <Self user={user} />
          <Button>End all sessions</Button>
        </Form>
      )}
    </Card>
  )
}

interface Props {
  readonly one: OneUser
  readonly visit: PageRequest
}

/** Names the user in a form. */
export const Self = ({ user }: { readonly user: UserRecord }) => <Hidden name="user" value={refOf(user)} />

/** What the user may see, and the form that grants more. */
function Grants({ one: { user, grants, reach, choices }, visit }: Props): Html {
  const seesAll = user.roles.includes('admin') || user.roles.includes('global-read')
  return (
    <Card title="Grants" sub={seesAll ? 'sees everything through a role' : seesText(reach)}>
      {grants.length === 0 ? (
        <Empty title="Nothing is granted" help={['how-to/give-access', 'How access is given']} />
      ) : (
        <ul class="rows">
          {grants.slice(0, MAX_GRANTS).map(({ kind, id, name, devices }) => (
            <li>
              <span class="grow" dir="auto">
                {plain(name)} <span class="sub">{kind.replace('_', ' ')}</span>
                {devices === null || kind === 'device' ? null : <span class="l2">{seesText(devices)}</span>}
              </span>
              <Form visit={visit} name="revoke" to={ADDRESS} line>
                <Self user={user} />
                <Hidden name="kind" value={KINDS.find((one) => one.kind === kind)?.value ?? ''} />
                <Hidden name="id" value={id} />
                <Button small label={`Revoke ${plain(name)}`}>
                  Revoke
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Form visit={visit} name="grant" to={ADDRESS}>
        <Self user={user} />
        <div class="line">
          <Choice id="kind" label="Kind" value={kept(visit, 'kind', 'deviceIds')} options={KINDS} />
          <Field
            id="ref"
            label="Which"
            value={kept(visit, 'ref', '')}
            list="grantable"
            hint="choose, or type a name or id; a port as device and port name"
            required
          />
          <datalist id="grantable">
            {choices.map(({ value, label }) => (
              <option value={plain(value)}>{label}</option>
            ))}
          </datalist>
        </div>
        <div class="acts">
          <Button first>Grant</Button>
        </div>
      </Form>
    </Card>
  )
}

const seesText = (devices: number) => `sees ${count(devices)} ${devices === 1 ? 'device' : 'devices'}`

const MAX_GRANTS = 500
