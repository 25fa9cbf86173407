/** @jsxImportSource #jsx */

import { setViewCookie } from '../../../api/client-of-request.ts'
import type { SessionRecord } from '../../../core/access/sign-in/sessions.ts'
import type { GrantKind, GrantRecord } from '../../../core/access/users/grants.ts'
import type { IdentityRecord, UserRecord } from '../../../core/access/users/service.ts'
import type { Actor } from '../../../core/base/actor.ts'
import { DomainError, invalid } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { agentWord } from '../../components/agent.ts'
import { Button, Check, Choice, Field, Form, Hidden, kept } from '../../components/form.tsx'
import { Pill } from '../../components/icon.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, Empty, plain, Time } from '../../components/values.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, type PageRequest, page, redirect } from '../../page.ts'
import { refusalsAsFormErrors } from '../../permissions.ts'
import { Frame } from './frame.tsx'
import { Identities } from './identities.tsx'

interface OneUser {
  readonly user: UserRecord
  readonly sessions: readonly SessionRecord[]
  readonly grants: readonly GrantRecord[]
  readonly identities: readonly IdentityRecord[]
  /** Number of devices that the grants show together. */
  readonly reach: number
  readonly choices: readonly GrantChoice[]
}

/** Something to choose for a grant. */
interface GrantChoice {
  readonly value: string
  readonly label: string
}

interface UsersData {
  readonly users: readonly UserRecord[]
  readonly roles: readonly string[]
  /** The user being shown; null: the list. */
  readonly one: OneUser | null
}

const ADDRESS = '/settings/users'
/** What a user is called by in addresses and forms: the id, because two users can share a name. */
const refOf = ({ user_id }: UserRecord) => `id=${user_id}`
const MAX_GRANTS = 500
const of = (username: string) => `${ADDRESS}?user=${encodeURIComponent(username)}`

/** Users: roles, passwords, sessions and grants. */
export const usersPage = page<UsersData>({
  path: ADDRESS,
  gate: 'admin',
  async load({ services, actor, query, sent }) {
    const { admin, users } = services
    const named = sent?.get('user') ?? query.get('user')
    const [list, roles] = await Promise.all([admin.users(actor), users.roles()])
    const names = [...new Set(['admin', 'global-read', 'user', ...roles.map(({ name }) => name)])]
    if (named === null || named === undefined) return { users: list, roles: names, one: null }
    const found = await admin.user(actor, named).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'not_found') return null
      throw error
    })
    if (found === null) return redirect(ADDRESS)
    const { user, sessions, identities } = found
    const [grants, reach, choices] = await Promise.all([
      users.grants(refOf(user)),
      users.reach(refOf(user)),
      choicesOf(services, actor),
    ])
    return { users: list, roles: names, one: { user, sessions, grants, identities, reach, choices } }
  },
  view: ({ users, roles, one }, visit) =>
    one === null
      ? {
          title: 'Users',
          crumbs: [{ label: 'Settings', href: '/settings' }, { label: 'Users' }],
          body: (
            <Frame title="Users" here="/settings/users">
              <div class="cols">
                <Card title="Users" sub={count(users.length)}>
                  <Table columns={columns(visit.nowMs)} rows={users} query={visit.query} caption="Users" />
                </Card>
                <AddUser visit={visit} roles={roles} />
              </div>
            </Frame>
          ),
        }
      : {
          title: plain(one.user.username),
          crumbs: [
            { label: 'Settings', href: '/settings' },
            { label: 'Users', href: ADDRESS },
            { label: plain(one.user.username) },
          ],
          body: (
            <Frame title={plain(one.user.username)} here="/settings/users">
              <One one={one} roles={roles} visit={visit} />
            </Frame>
          ),
        },
  actions: {
    async add(visit, form) {
      const username = (form.get('username') ?? '').trim()
      const password = form.get('password') ?? ''
      await visit.services.admin.addUser(visit.actor, {
        username,
        password: password === '' ? null : password,
        roles: rolesOf(form),
        realname: form.get('realname') ?? '',
        email: form.get('email') ?? '',
      })
      return { to: of(username) }
    },
    async roles(visit, form) {
      await visit.services.admin.setRoles(visit.actor, userOf(form), rolesOf(form))
      return { to: of(userOf(form)) }
    },
    async password(visit, form) {
      if (form.get('password') !== form.get('again')) throw invalid('The two passwords do not match')
      await visit.services.admin.setPassword(visit.actor, userOf(form), form.get('password') ?? '')
      return { to: of(userOf(form)) }
    },
    async disable(visit, form) {
      await visit.services.admin.setEnabled(visit.actor, userOf(form), false)
      return { to: of(userOf(form)) }
    },
    async enable(visit, form) {
      await visit.services.admin.setEnabled(visit.actor, userOf(form), true)
      return { to: of(userOf(form)) }
    },
    async 'view-as'(visit, form) {
      const { user_id: id } = await visit.services.admin.viewAs(visit.actor, userOf(form))
      const answer = redirect('/')
      answer.headers.append('Set-Cookie', setViewCookie(visit.origin, id))
      return answer
    },
    async 'remove-factor'(visit, form) {
      await visit.services.admin.removeFactor(visit.actor, userOf(form))
      return { to: of(userOf(form)) }
    },
    async sessions(visit, form) {
      await visit.services.admin.endSessions(visit.actor, userOf(form))
      return { to: of(userOf(form)) }
    },
    async session(visit, form) {
      const id = Number(form.get('id'))
      await visit.services.admin.endSession(visit.actor, userOf(form), Number.isSafeInteger(id) ? id : 0)
      return { to: of(userOf(form)) }
    },
    async link(visit, form) {
      const subject = (form.get('subject') ?? '').trim()
      await refusalsAsFormErrors(() => visit.services.admin.link(visit.actor, userOf(form), subject, null))
      return { to: of(userOf(form)) }
    },
    async unlink(visit, form) {
      await visit.services.admin.unlink(visit.actor, userOf(form))
      return { to: of(userOf(form)) }
    },
    async grant(visit, form) {
      const kind = KINDS.find(({ value }) => value === form.get('kind'))?.value
      const typed = (form.get('ref') ?? '').trim()
      if (kind === undefined || typed === '') throw invalid('Choose what to grant')
      const ref = await refOfChoice(visit, kind, typed)
      const { admin, users } = visit.services
      await users.grantable({ [kind]: [ref] }).catch(() => {
        throw invalid(`There is no ${wordOf(kind)} ${ref}, or more than one.`)
      })
      await admin.grant(visit.actor, userOf(form), kind, ref)
      return { to: of(userOf(form)) }
    },
    async revoke(visit, form) {
      const kind = KINDS.find(({ value }) => value === form.get('kind'))?.value
      if (kind === undefined) throw invalid('Unknown kind')
      await visit.services.admin.revoke(visit.actor, userOf(form), kind, Number(form.get('id')))
      return { to: of(userOf(form)) }
    },
    async delete(visit, form) {
      const { user } = await visit.services.admin.user(visit.actor, userOf(form))
      if ((form.get('confirm') ?? '').trim() !== user.username)
        throw invalid('The name does not match, so nothing was deleted')
      await visit.services.admin.deleteUser(visit.actor, userOf(form))
      return { to: ADDRESS }
    },
  },
})

const MAX_CHOICES = 1000

/** Names of what can be granted, to choose from; ports are found by device and name. */
async function choicesOf(services: Services, actor: Actor): Promise<GrantChoice[]> {
  const [devices, groups, locations, bills] = await Promise.all([
    services.devices.list(actor),
    services.deviceGroups.list(actor),
    services.locations.list(actor),
    services.bills.list(actor, {}),
  ])
  return [
    ...groups.map(({ name }) => ({ value: name, label: 'device group' })),
    ...locations.map(({ location }) => ({ value: location.trim(), label: 'location' })),
    ...bills.map(({ bill_name }) => ({ value: bill_name, label: 'bill' })),
    ...devices.map(({ hostname }) => ({ value: hostname, label: 'device' })),
  ].slice(0, MAX_CHOICES)
}

/** What a typed choice refers to: a port by id or by words that only one port has; anything else as it is. */
async function refOfChoice({ services, actor }: PageRequest, kind: GrantKind, text: string): Promise<string> {
  if (kind !== 'portIds' || /^\d+$/.test(text)) return text
  const found = await services.portPicker.find(actor, text, 2)
  const [port] = found
  if (port === undefined || found.length > 1)
    throw invalid(`${found.length === 0 ? 'No port matches' : 'More than one port matches'} ${text}: device and port`)
  return String(port.port_id)
}

const userOf = (form: FormData) => form.get('user') ?? ''
const rolesOf = (form: FormData) =>
  [...form].flatMap(([name, value]) => (name.startsWith('role-') && value === '1' ? [name.slice(5)] : []))

const KINDS: readonly { readonly value: GrantKind; readonly label: string; readonly kind: GrantRecord['kind'] }[] = [
  { value: 'deviceIds', label: 'Device', kind: 'device' },
  { value: 'deviceGroupIds', label: 'Device group', kind: 'device_group' },
  { value: 'locationIds', label: 'Location', kind: 'location' },
  { value: 'portIds', label: 'Port', kind: 'port' },
  { value: 'billIds', label: 'Bill', kind: 'bill' },
]
const wordOf = (kind: GrantKind) => (KINDS.find(({ value }) => value === kind)?.kind ?? '').replace('_', ' ')

const columns = (nowMs: number): readonly Column<UserRecord>[] => [
  {
    id: 'name',
    label: 'User',
    cell: ({ user_id, username, realname }) => (
      <>
        <a class="name" href={of(`id=${user_id}`)} dir="auto">
          {plain(username)}
        </a>
        {realname === '' ? null : <span class="l2">{plain(realname)}</span>}
      </>
    ),
  },
  {
    id: 'state',
    label: 'State',
    class: 'r',
    cell: ({ enabled }) => (enabled === 1 ? <Pill tone="ok">Enabled</Pill> : <Pill tone="off">Disabled</Pill>),
  },
  { id: 'method', label: 'Signs in', class: 'lab', cell: ({ auth_type }) => plain(auth_type ?? 'local') },
  { id: 'factor', label: 'Second factor', class: 'lab', cell: ({ second_factor }) => (second_factor ? 'on' : 'off') },
  { id: 'roles', label: 'Roles', class: 'lab', cell: ({ roles }) => plain(roles.join(', ') || 'none') },
  { id: 'since', label: 'Since', class: 'lab', cell: ({ created_at }) => <Time at={created_at} nowMs={nowMs} /> },
]

const seesText = (devices: number) => `sees ${count(devices)} ${devices === 1 ? 'device' : 'devices'}`

const ABOUT: Readonly<Record<string, string>> = {
  admin: 'everything',
  'global-read': 'sees everything',
  user: 'sees what is granted',
}

const Roles = ({ roles, on }: { readonly roles: readonly string[]; readonly on: (role: string) => boolean }) => (
  <fieldset class="field">
    <legend class="lab">Roles</legend>
    {roles.map((role) => (
      <Check name={`role-${role}`} label={plain(role)} on={on(role)} hint={ABOUT[role] ?? 'custom role'} />
    ))}
  </fieldset>
)

function AddUser({ visit, roles }: { readonly visit: PageRequest; readonly roles: readonly string[] }): Html {
  return (
    <Card title="Add a user">
      <Form visit={visit} name="add">
        <Field id="username" label="Username" value={kept(visit, 'username', '')} required />
        <Field id="password" label="Password" type="password" hint="At least 8 characters. Empty: API tokens only." />
        <Roles roles={roles} on={(role) => kept(visit, `role-${role}`, role === 'user' ? '1' : '') === '1'} />
        <Field id="realname" label="Full name" value={kept(visit, 'realname', '')} />
        <Field id="email" label="E-mail" type="email" value={kept(visit, 'email', '')} />
        <div class="acts">
          <Button first>Add user</Button>
        </div>
      </Form>
    </Card>
  )
}

function One({
  one,
  roles,
  visit,
}: {
  readonly one: OneUser
  readonly roles: readonly string[]
  readonly visit: PageRequest
}): Html {
  const { user, sessions, grants, identities, reach, choices } = one
  const self = <Hidden name="user" value={refOf(user)} />
  const isOn = user.enabled === 1
  const seesAll = user.roles.includes('admin') || user.roles.includes('global-read')
  return (
    <div class="cols">
      <div class="stack">
        <Card title="Grants" sub={seesAll ? 'sees everything through a role' : seesText(reach)}>
          {grants.length === 0 ? (
            <Empty title="Nothing is granted" />
          ) : (
            <ul class="rows">
              {grants.slice(0, MAX_GRANTS).map(({ kind, id, name, devices }) => (
                <li>
                  <span class="grow" dir="auto">
                    {plain(name)} <span class="sub">{kind.replace('_', ' ')}</span>
                    {devices === null || kind === 'device' ? null : <span class="l2">{seesText(devices)}</span>}
                  </span>
                  <Form visit={visit} name="revoke" to={ADDRESS} line>
                    {self}
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
            {self}
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
                  {self}
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
              {self}
              <Button>End all sessions</Button>
            </Form>
          )}
        </Card>
      </div>
      <div class="stack">
        <Card title="Roles" right={isOn ? <Pill tone="ok">Enabled</Pill> : <Pill tone="off">Disabled</Pill>}>
          <Form visit={visit} name="roles" to={ADDRESS}>
            {self}
            <Roles roles={roles} on={(role) => user.roles.includes(role)} />
            <div class="acts">
              <Button first>Save</Button>
            </div>
          </Form>
        </Card>
        <Identities username={refOf(user)} identities={identities} visit={visit} to={ADDRESS} />
        <Card title="New password" sub="ends the user's sessions">
          <Form visit={visit} name="password" to={ADDRESS}>
            {self}
            <Field id="password" label="Password, at least 8 characters" type="password" required />
            <Field id="again" label="Again" type="password" required />
            <div class="acts">
              <Button>Set password</Button>
            </div>
          </Form>
        </Card>
        <Card title="View as" sub="read-only">
          <Form visit={visit} name="view-as" to={ADDRESS}>
            {self}
            <p class="hint">Open the pages as this user sees them. Nothing can be changed meanwhile.</p>
            <div class="acts">
              <Button>{`View as ${plain(user.username)}`}</Button>
            </div>
          </Form>
        </Card>
        <Card title="Second factor" sub={user.second_factor ? 'on' : 'off'}>
          {user.second_factor ? (
            <Form visit={visit} name="remove-factor" to={ADDRESS}>
              {self}
              <p class="hint">
                If the authenticator and the recovery codes are lost: the user then signs in with the password alone,
                and can set up another. Ends the user's sessions.
              </p>
              <div class="acts">
                <Button danger>Remove second factor</Button>
              </div>
            </Form>
          ) : (
            <p class="hint body">Users set it up themselves, under Account.</p>
          )}
        </Card>
        <Card title={isOn ? 'Disable or delete' : 'Enable or delete'}>
          <Form visit={visit} name={isOn ? 'disable' : 'enable'} to={ADDRESS}>
            {self}
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
            {self}
            <Field id="confirm" label={`To confirm, enter the username: ${plain(user.username)}`} required />
            <div class="acts">
              <Button danger>Delete user</Button>
            </div>
          </Form>
        </Card>
      </div>
    </div>
  )
}
