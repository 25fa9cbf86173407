/** @jsxImportSource #jsx */

import type { DeviceGroupRecord } from '../../../core/groups/device-groups.ts'
import type { PortGroupRecord } from '../../../core/groups/port-groups.ts'
import { sentenceOf } from '../../../core/rules/in-words.ts'
import { AddLink } from '../../components/form.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Card, count, DeviceText, Empty, plain } from '../../components/values.tsx'
import { page } from '../../page.ts'
import { can } from '../../permissions.ts'

type Counted<G> = G & { readonly members: number }

interface GroupsData {
  readonly devices: readonly Counted<DeviceGroupRecord>[]
  /** null: the actor may not see them. */
  readonly ports: readonly Counted<PortGroupRecord>[] | null
}

/** The rule of a dynamic group in words; null if it cannot be parsed. */
export const ruleText = ({ rules }: Pick<DeviceGroupRecord, 'rules'>): string | null =>
  rules === null ? null : sentenceOf(rules)

/** Device groups with their rules, and port groups. */
export const groupsPage = page<GroupsData>({
  path: '/groups',
  gate: 'DeviceGroup.viewAny',
  nav: { label: 'Groups', icon: 'group', group: 'manage', order: 10 },
  async load(visit) {
    const { deviceGroups, portGroups } = visit.services
    const { actor } = visit
    const mayPorts = can(visit, 'PortGroup.viewAny')
    const [devices, members, ports, sizes] = await Promise.all([
      deviceGroups.list(actor),
      deviceGroups.allMembers(actor),
      mayPorts ? portGroups.list(actor) : null,
      mayPorts ? portGroups.sizes(actor) : null,
    ])
    return {
      devices: devices.map((group) => ({ ...group, members: members.get(group.id)?.length ?? 0 })),
      ports: ports?.map((group) => ({ ...group, members: sizes?.get(group.id) ?? 0 })) ?? null,
    }
  },
  view: ({ devices, ports }, visit) => ({
    title: 'Groups',
    crumbs: [{ label: 'Groups' }],
    body: (
      <>
        <div class="head">
          <h1>Groups</h1>
          <div class="acts">
            {can(visit, 'DeviceGroup.create') ? (
              <AddLink href="/groups/new" first>
                Add a device group
              </AddLink>
            ) : null}
            {can(visit, 'PortGroup.create') ? <AddLink href="/groups/ports/new">Add a port group</AddLink> : null}
          </div>
        </div>
        <div class="stack">
          <Card title="Device groups" sub={count(devices.length)}>
            {devices.length === 0 ? (
              <Empty title="No device groups yet" help={['how-to/change-devices#sort', 'How groups are made']}>
                <p>A static group contains the devices you choose; a dynamic group, those that match its rule.</p>
              </Empty>
            ) : (
              <Table columns={DEVICES} rows={devices} query={visit.query} caption="Device groups" />
            )}
          </Card>
          {ports === null ? null : (
            <Card title="Port groups" sub={count(ports.length)}>
              {ports.length === 0 ? (
                <Empty title="No port groups yet" help={['how-to/give-access', 'What groups are for']} />
              ) : (
                <Table columns={PORTS} rows={ports} query={visit.query} caption="Port groups" />
              )}
            </Card>
          )}
        </div>
      </>
    ),
  }),
})

const DEVICES: readonly Column<Counted<DeviceGroupRecord>>[] = [
  {
    id: 'name',
    label: 'Group',
    cell: ({ id, name, desc }) => (
      <>
        <a class="name" href={`/groups/${id}`} dir="auto">
          {plain(name)}
        </a>
        <span class="l2" dir="auto">
          {plain(desc ?? '')}
        </span>
      </>
    ),
  },
  { id: 'type', label: 'Kind', class: 'dim lab', cell: ({ type }) => type },
  {
    id: 'members',
    label: 'Devices',
    numeric: true,
    cell: ({ id, members }) => <a href={`/devices?group=${id}`}>{count(members)}</a>,
  },
  {
    id: 'rule',
    label: 'Rule',
    class: 'full wide',
    cell: (group) => (group.type === 'static' ? '' : <DeviceText text={ruleText(group)} long />),
  },
]

const PORTS: readonly Column<Counted<PortGroupRecord>>[] = [
  {
    id: 'name',
    label: 'Group',
    cell: ({ id, name }) => (
      <a class="name" href={`/groups/ports/${id}`} dir="auto">
        {plain(name)}
      </a>
    ),
  },
  { id: 'members', label: 'Ports', numeric: true, cell: ({ members }) => count(members) },
  { id: 'desc', label: 'Description', class: 'full', cell: ({ desc }) => <DeviceText text={desc} long /> },
]
