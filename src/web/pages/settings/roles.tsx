/** @jsxImportSource #jsx */
import { invalid } from '../../../core/base/errors.ts'
import { SUBJECTS, VERBS, VIEW_CONFIG_BACKUPS } from '../../../core/base/permissions.ts'
import { Button, Field, Form, Hidden, kept } from '../../components/form.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, plain } from '../../components/values.tsx'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'
import { type PageRequest, page } from '../../page.ts'
import { Frame } from './frame.tsx'

interface RoleRow {
  readonly name: string
  readonly permissions: readonly string[]
  readonly users: number
}

interface RolesData {
  readonly roles: readonly RoleRow[]
  /** The role whose permissions are in the form; null: a new one. */
  readonly chosen: RoleRow | null
}

const BUILT_IN: Readonly<Record<string, string>> = {
  admin: 'everything',
  'global-read': 'sees everything, changes nothing',
  user: 'sees what is granted',
}

/** Roles, and the permissions of custom ones. */
export const rolesPage = page<RolesData>({
  path: '/settings/roles',
  gate: 'admin',
  async load({ services, query }) {
    const stored = await services.users.roles()
    const missing = Object.keys(BUILT_IN).filter((name) => !stored.some((role) => role.name === name))
    const roles = [...missing.map((name) => ({ name, permissions: [], users: 0 })), ...stored]
    const chosen = roles.find(({ name }) => name === query.get('role') && !(name in BUILT_IN)) ?? null
    return { roles, chosen }
  },
  view: ({ roles, chosen }, visit) => ({
    title: 'Roles',
    crumbs: [{ label: 'Settings', href: '/settings' }, { label: 'Roles' }],
    body: (
      <Frame
        title="Roles"
        here="/settings/roles"
        lead="A custom role adds individual permissions. Its users see only granted objects, unless they also have role global-read."
      >
        <div class="stack">
          <Card title="Roles" sub={count(roles.length)}>
            <Table columns={columns(visit)} rows={roles} query={visit.query} caption="Roles" />
          </Card>
          <RoleForm chosen={chosen} visit={visit} />
        </div>
      </Frame>
    ),
  }),
  actions: {
    async define(visit, form) {
      const role = (form.get('role') ?? '').trim()
      if (role === '') throw invalid('Enter a name')
      const names = [...form].flatMap(([name, value]) =>
        name.startsWith('may-') && value === '1' ? [name.slice(4)] : [],
      )
      await visit.services.admin.defineRole(visit.actor, role, names)
      return { to: '/settings/roles' }
    },
    async delete(visit, form) {
      await visit.services.admin.deleteRole(visit.actor, form.get('role') ?? '')
      return { to: '/settings/roles' }
    },
  },
})

const columns = (visit: PageRequest): readonly Column<RoleRow>[] => [
  { id: 'name', label: 'Role', cell: ({ name }) => <span class="name">{plain(name)}</span> },
  {
    id: 'may',
    label: 'May',
    class: 'full',
    cell: ({ name, permissions }) => BUILT_IN[name] ?? (plain(permissions.join(', ')) || 'nothing yet'),
  },
  { id: 'users', label: 'Users', numeric: true, cell: ({ users }) => count(users) },
  {
    id: 'act',
    label: 'Action',
    quiet: true,
    class: 'r',
    cell: ({ name }): Child =>
      name in BUILT_IN ? null : (
        <span class="acts">
          <a
            class="btn s-s"
            href={`/settings/roles?role=${encodeURIComponent(name)}`}
            aria-label={`Change ${plain(name)}`}
          >
            Change
          </a>
          <Form visit={visit} name="delete" line>
            <Hidden name="role" value={name} />
            <Button small label={`Delete ${plain(name)}`}>
              Delete
            </Button>
          </Form>
        </span>
      ),
  },
]

function RoleForm({ chosen, visit }: { readonly chosen: RoleRow | null; readonly visit: PageRequest }): Html {
  const has = (permission: string) =>
    visit.sent === null
      ? (chosen?.permissions.includes(permission) ?? false)
      : visit.sent.get(`may-${permission}`) === '1'
  const box = (permission: string, label: string) => (
    <input type="checkbox" name={`may-${permission}`} value="1" checked={has(permission)} aria-label={label} />
  )
  return (
    <Card title={chosen === null ? 'New role' : `Permissions of ${plain(chosen.name)}`}>
      <Form visit={visit} name="define">
        {chosen === null ? (
          <Field
            id="role"
            label="Name"
            value={kept(visit, 'role', '')}
            hint="Lower-case letters, digits, hyphens and underscores."
            required
          />
        ) : (
          <Hidden name="role" value={chosen.name} />
        )}
        <div class="scroll" tabindex="0" role="region" aria-label="Permissions">
          <table class="perms">
            <thead>
              <tr>
                <th scope="col">Object</th>
                {VERBS.map((verb) => (
                  <th scope="col">{verb === 'viewAny' ? 'view' : verb}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {SUBJECTS.map((subject) => (
                <tr>
                  <th scope="row">{subject}</th>
                  {VERBS.map((verb) => (
                    <td>{box(`${subject}.${verb}`.toLowerCase(), `${subject} ${verb}`)}</td>
                  ))}
                </tr>
              ))}
              <tr>
                <th scope="row">Stored configurations</th>
                <td>{box(VIEW_CONFIG_BACKUPS, 'view stored configurations')}</td>
              </tr>
            </tbody>
          </table>
        </div>
        <div class="acts">
          <Button first>{chosen === null ? 'Create role' : 'Save'}</Button>
        </div>
      </Form>
    </Card>
  )
}
