/** @jsxImportSource #jsx */
import type { PollerGroupRecord } from '../../../core/pollers/service.ts'
import { Button, Confirm, Field, Form, Hidden, ofForm } from '../../components/form.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, DeviceText, plain } from '../../components/values.tsx'
import { idOf } from '../../id.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import { type Form as FormData, type PageRequest, page } from '../../page.ts'
import { can, refusalsAsFormErrors, requireGate } from '../../permissions.ts'

type Row = Pick<PollerGroupRecord, 'id' | 'group_name' | 'descr'> & { readonly devices: number }

interface GroupsData {
  readonly rows: readonly Row[]
  /** The group being changed; null: the form is for a new one. */
  readonly chosen: Row | null
}

const ADDRESS = '/pollers/groups'
/** The group of devices that are in no other group. */
const GENERAL = { id: 0, group_name: 'General', descr: 'devices in no other group' }

/** Poller groups, which determine the pollers that poll a device. */
export const pollerGroupsPage = page<GroupsData>({
  path: ADDRESS,
  gate: 'PollerGroup.viewAny',
  async load({ services: { pollers }, actor, query, sent }) {
    const [groups, sizes] = await Promise.all([pollers.groups(actor), pollers.groupSizes(actor)])
    const rows = [GENERAL, ...groups].map((group) => ({ ...group, devices: sizes.get(group.id) ?? 0 }))
    const id = Number(sent?.get('do') === 'save' ? sent.get('id') : query.get('id'))
    return { rows, chosen: groups.length === 0 ? null : (rows.find((row) => row.id !== 0 && row.id === id) ?? null) }
  },
  view: ({ rows, chosen }, visit) => {
    const mayChange = can(visit, chosen === null ? 'PollerGroup.create' : 'PollerGroup.update')
    return {
      title: 'Poller groups',
      crumbs: [{ label: 'Pollers', href: '/pollers' }, { label: 'Groups' }],
      body: (
        <>
          <div class="head">
            <h1>Poller groups</h1>
            <p>
              A device is polled by the pollers that list its group in their setting poller.groups. If no poller lists
              the group, the device is polled by the pollers that list no groups.
            </p>
          </div>
          <div class={mayChange ? 'cols' : 'stack'}>
            <Card title="Groups" sub={count(rows.length)}>
              <Table columns={columns(visit)} rows={rows} query={visit.query} caption="Poller groups" />
            </Card>
            {mayChange ? <Editor visit={visit} group={chosen} /> : null}
          </div>
        </>
      ),
    }
  },
  actions: {
    async add(visit, form) {
      requireGate(visit, 'PollerGroup.create')
      const { name, descr } = fieldsOf(form)
      await refusalsAsFormErrors(() => visit.services.pollers.addGroup(visit.actor, name, descr))
      return { to: ADDRESS }
    },
    async save(visit, form) {
      requireGate(visit, 'PollerGroup.update')
      const { name, descr } = fieldsOf(form)
      const id = String(idOf(form.get('id')))
      await refusalsAsFormErrors(() => visit.services.pollers.editGroup(visit.actor, id, { group_name: name, descr }))
      return { to: ADDRESS }
    },
    async delete(visit, form) {
      requireGate(visit, 'PollerGroup.delete')
      await refusalsAsFormErrors(() => visit.services.pollers.deleteGroup(visit.actor, String(idOf(form.get('id')))))
      return { to: ADDRESS }
    },
  },
})

const fieldsOf = (form: FormData) => ({
  name: (form.get('name') ?? '').trim(),
  descr: (form.get('descr') ?? '').trim(),
})

const columns = (visit: PageRequest): readonly Column<Row>[] => [
  {
    id: 'name',
    label: 'Group',
    cell: ({ group_name }) => (
      <span class="name" dir="auto">
        {plain(group_name)}
      </span>
    ),
  },
  { id: 'descr', label: 'Description', class: 'full', cell: ({ descr }) => <DeviceText text={descr} long /> },
  { id: 'devices', label: 'Devices', numeric: true, cell: ({ devices }) => count(devices) },
  {
    id: 'act',
    label: 'Action',
    quiet: true,
    class: 'r',
    cell: ({ id, group_name, devices }) =>
      id === 0 ? null : (
        <span class="acts">
          {can(visit, 'PollerGroup.update') ? (
            <a class="btn s-s" href={`${ADDRESS}?id=${id}`} aria-label={`Change ${plain(group_name)}`}>
              Change
            </a>
          ) : null}
          {can(visit, 'PollerGroup.delete') ? (
            <Confirm
              visit={visit}
              name="delete"
              label="Delete"
              about={plain(group_name)}
              question={
                devices === 0 ? 'It has no devices.' : `Its ${count(devices)} devices will move to the general group.`
              }
              small
            >
              <Hidden name="id" value={id} />
            </Confirm>
          ) : null}
        </span>
      ),
  },
]

function Editor({ visit, group }: { readonly visit: PageRequest; readonly group: Row | null }): Html {
  const own = ofForm(visit, group === null ? 'add' : 'save')
  return (
    <Card title={group === null ? 'New group' : `Change ${plain(group.group_name)}`}>
      <Form visit={own} name={group === null ? 'add' : 'save'}>
        {group === null ? null : <Hidden name="id" value={group.id} />}
        <Field visit={own} id="name" label="Name" value={group?.group_name ?? ''} maxLength={255} required />
        <Field visit={own} id="descr" label="Description" value={group?.descr ?? ''} maxLength={255} />
        <div class="acts">
          <Button first>{group === null ? 'Add group' : 'Save'}</Button>
          {group === null ? null : (
            <a class="btn" href={ADDRESS}>
              Cancel
            </a>
          )}
        </div>
      </Form>
    </Card>
  )
}
