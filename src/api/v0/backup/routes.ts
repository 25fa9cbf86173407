import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'

const Target = t.Object(
  {
    hostname: t.String(),
    os: t.String(),
    ip: t.Union([t.String(), t.Null()]),
    ssh_port: t.Optional(t.String()),
    telnet_port: t.Optional(t.String()),
    group: t.Optional(t.String()),
  },
  { title: 'BackupTarget', additionalProperties: t.String({ description: 'Members added by setting oxidized.maps' }) },
)

const BackupModel = {
  targets: documented(t.Array(Target)),
  hostname: documented(t.Object({ hostname: t.String() })),
  search: documented(t.Object({ searchstring: t.String() })),
  found: documented(
    t.Object({
      status: Ok,
      nodes: t.Array(
        t.Object({
          node: t.String(),
          full_name: t.String(),
          dev_id: t.Union([whole(), t.Boolean({ description: 'false: not a device' })]),
        }),
      ),
      count: whole(),
    }),
  ),
  device: documented(t.Object({ device_name: t.String({ description: 'Hostname or numeric device id' }) })),
  config: documented(t.Object({ status: Ok, config: t.String() })),
}

/**
 * The device list that Oxidized reads, and queries to Oxidized (setting `oxidized.url`). The device lists have no
 * envelope.
 */
export const backupRoutes = ({ backup }: Pick<Services, 'backup'>) =>
  new Elysia({ name: 'v0.backup', prefix: '/oxidized' })
    .use(v0Context)
    .get('', ({ actor }) => backup.targets(actor, null) as never, {
      ...operation({
        id: 'list_backup_targets',
        route: 'list_oxidized',
        gate: 'oxidized.list',
        summary: 'Devices for a backup tool',
      }),
      response: { 200: BackupModel.targets },
    })
    .get('/:hostname', ({ actor, params }) => backup.targets(actor, params.hostname) as never, {
      ...operation({
        id: 'list_oxidized_host',
        documented: 'list_oxidized',
        gate: 'oxidized.list',
        summary: 'One device for a backup tool, as a list',
      }),
      params: BackupModel.hostname,
      response: { 200: BackupModel.targets },
    })
    .get(
      '/config/search/:searchstring',
      async ({ actor, params }) => {
        const nodes = await backup.search(actor, params.searchstring)
        return { status: 'ok' as const, nodes, count: nodes.length }
      },
      {
        ...operation({ id: 'search_oxidized', gate: 'oxidized.search', summary: 'Searches the stored configurations' }),
        params: BackupModel.search,
        response: { 200: BackupModel.found, 404: ErrorModel },
      },
    )
    .get(
      '/config/:device_name',
      async ({ actor, params }) => ({
        status: 'ok' as const,
        config: await backup.config(actor, params.device_name),
      }),
      {
        ...operation({
          id: 'get_oxidized_config',
          gate: 'Device.viewAny',
          summary: 'The configuration of a device as stored by Oxidized',
        }),
        params: BackupModel.device,
        response: { 200: BackupModel.config, 403: ErrorModel, 404: ErrorModel },
      },
    )
