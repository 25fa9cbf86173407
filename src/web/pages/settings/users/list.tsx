/** @jsxImportSource #jsx */
import type { UserRecord } from '../../../../core/access/users/service.ts'
import { Pill } from '../../../components/icon.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { Card, count, plain, Time } from '../../../components/values.tsx'
import { page } from '../../../page.ts'
import { Frame } from '../frame.tsx'
import { actions } from './actions.ts'
import { One } from './detail.tsx'
import { AddUser } from './form.tsx'
import { load, type UsersData } from './load.ts'
import { ADDRESS, addressOf } from './names.ts'

/** Users: roles, passwords, sessions and grants. */
export const usersPage = page<UsersData>({
  path: ADDRESS,
  gate: 'admin',
  load,
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
  actions,
})

const columns = (nowMs: number): readonly Column<UserRecord>[] => [
  {
    id: 'name',
    label: 'User',
    cell: ({ user_id, username, realname }) => (
      <>
        <a class="name" href={addressOf(`id=${user_id}`)} dir="auto">
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
