import type { ClusterRow } from '../../../core/pollers/service.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, isSet, Ok } from '../envelope.ts'
import { presentClusterMember, presentPoller, presentPollerLog } from '../records/poller.ts'

const Poller = t.Object(
  {
    id: whole(),
    poller_name: t.String(),
    last_polled: t.String({ description: 'Y-m-d H:i:s, server time' }),
    devices: whole(),
    time_taken: t.Number({ description: 'Seconds' }),
  },
  { title: 'Poller' },
)

/** Columns of LibreNMS's poller_cluster that override settings on a node; always null here. */
const NODE_SETTINGS = [
  'poller_enabled',
  'poller_frequency',
  'poller_workers',
  'poller_down_retry',
  'discovery_enabled',
  'discovery_frequency',
  'discovery_workers',
  'services_enabled',
  'services_frequency',
  'services_workers',
  'billing_enabled',
  'billing_frequency',
  'billing_calculate_frequency',
  'alerting_enabled',
  'alerting_frequency',
  'ping_enabled',
  'ping_frequency',
  'update_enabled',
  'update_frequency',
  'loglevel',
  'watchdog_enabled',
  'watchdog_log',
] as const

const ClusterMember = t.Intersect(
  [
    t.Object({
      id: whole({ description: 'Negative: a remote poller' }),
      node_id: t.String(),
      poller_name: t.String(),
      poller_version: t.String(),
      poller_groups: t.String({ description: 'Ids, joined by commas' }),
      last_report: t.String({ description: 'ISO 8601 UTC with microseconds' }),
      master: t.Union([t.Literal(0), t.Literal(1)]),
      stats: t.Array(
        t.Object({
          id: whole({ description: 'Negative: of a remote poller' }),
          parent_poller: whole(),
          poller_type: t.String({ description: 'poller or discovery' }),
          depth: whole({ description: 'Devices due and waiting' }),
          devices: whole({ description: 'Devices polled in the last minute' }),
          worker_seconds: t.Number(),
          workers: whole(),
          frequency: whole({ description: 'Seconds' }),
        }),
      ),
    }),
    t.Record(t.Union(NODE_SETTINGS.map((name) => t.Literal(name))), t.Null()),
  ],
  { title: 'ClusterMember' },
)

const Group = t.Object({ id: whole(), group_name: t.String(), descr: t.String() }, { title: 'PollerGroup' })

const PollerModel = {
  list: documented(
    t.Object({ status: Ok, pollers: t.Union([t.Array(Poller), t.Array(ClusterMember)]), count: whole() }),
  ),
  logQuery: documented(
    t.Object({
      unpolled: t.Optional(t.String({ description: 'Only devices not polled for more than 1.2 times rrd.step' })),
    }),
  ),
  log: documented(
    t.Object({
      status: Ok,
      log: t.Array(
        t.Object({
          hostname: t.String(),
          display_name: t.String(),
          last_polled: t.Union([t.String({ description: 'Y-m-d H:i:s, server time' }), t.Null()]),
          last_polled_timetaken: t.Number({ description: 'Seconds, two places' }),
          poller_group: t.String(),
          poller_group_id: whole(),
        }),
      ),
      count: whole(),
    }),
  ),
  groups: documented(t.Object({ status: Ok, get_poller_group: t.Array(Group), count: whole() })),
  groupParams: documented(t.Object({ poller_group_id_or_name: t.String() })),
  group: documented(t.Object({ status: Ok, get_poller_group: Group })),
}

/** Pollers, when they last polled each device, and poller groups. */
export const pollerRoutes = ({ pollers }: Pick<Services, 'pollers'>) =>
  new Elysia({ name: 'v0.pollers' })
    .use(v0Context)
    .get(
      '/pollers',
      async () => {
        const list = await pollers.list()
        const shown = list.form === 'cluster' ? list.pollers.map(member) : list.pollers.map(presentPoller)
        return { status: 'ok' as const, pollers: [...shown] as never, count: shown.length }
      },
      {
        ...operation({ id: 'list_pollers', gate: 'Poller.viewAny', summary: 'Pollers' }),
        response: { 200: PollerModel.list },
      },
    )
    .get(
      '/pollers/log',
      async ({ actor, query }) => {
        const log = await pollers.log(actor, { unpolled: isSet(query.unpolled) })
        return { status: 'ok' as const, log: log.map(presentPollerLog), count: log.length }
      },
      {
        ...operation({
          id: 'list_poller_log',
          gate: 'Device.viewAny',
          summary: 'When active devices were last polled',
        }),
        query: PollerModel.logQuery,
        response: { 200: PollerModel.log },
      },
    )
    .get(
      '/poller_group',
      async ({ actor }) => {
        const groups = await pollers.groups(actor)
        return { status: 'ok' as const, get_poller_group: groups, count: groups.length }
      },
      {
        ...operation({ id: 'get_poller_group', gate: 'PollerGroup.viewAny', summary: 'Poller groups' }),
        response: { 200: PollerModel.groups },
      },
    )
    .get(
      '/poller_group/:poller_group_id_or_name',
      async ({ actor, params }) => {
        const group = await pollers.group(actor, params.poller_group_id_or_name)
        return { status: 'ok' as const, get_poller_group: group }
      },
      {
        ...operation({
          id: 'get_poller_group_one',
          documented: 'get_poller_group',
          gate: 'PollerGroup.viewAny',
          summary: 'A poller group',
        }),
        params: PollerModel.groupParams,
        response: { 200: PollerModel.group, 404: ErrorModel },
      },
    )

/** A cluster member with empty setting columns. Serves list_pollers. */
function member(row: ClusterRow) {
  const unset: Readonly<Record<string, null>> = Object.fromEntries(NODE_SETTINGS.map((name) => [name, null]))
  return { ...presentClusterMember(row), ...unset }
}
