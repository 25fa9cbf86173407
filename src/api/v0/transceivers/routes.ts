import type { Actor } from '../../../core/base/actor.ts'
import { absent, notFound } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { Text, Whole } from '../../nullable.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { rowId } from '../lookup.ts'
import { PortModel } from '../ports/model.ts'
import { Unexplained } from '../present-error.ts'
import { presentTransceiver } from '../records/inventory.ts'
import { refusals } from '../statuses.ts'

const Instant = t.String({ description: 'ISO 8601, UTC, microseconds' })

const Transceiver = t.Object(
  {
    id: whole(),
    created_at: Instant,
    updated_at: Instant,
    device_id: whole(),
    port_id: whole({ description: '0: the interface is unknown' }),
    index: t.String(),
    entity_physical_index: Whole,
    type: Text,
    vendor: Text,
    oui: Text,
    model: Text,
    revision: Text,
    serial: Text,
    date: Text,
    ddm: t.Union([t.Boolean(), t.Null()]),
    encoding: Text,
    cable: Text,
    distance: Whole,
    wavelength: Whole,
    connector: Text,
    channels: whole(),
  },
  { title: 'Transceiver' },
)

const TransceiverList = documented(t.Object({ status: Ok, transceivers: t.Array(Transceiver), count: whole() }))

/** Pluggable optics of a device and of a port. */
export const transceiverRoutes = ({ devices, ports, inventory }: Pick<Services, 'devices' | 'ports' | 'inventory'>) => {
  const ofPort = async (actor: Actor, portid: string) => {
    const port = await ports.find(actor, rowId(portid))
    if (!port) throw notFound(`Port ${portid} does not exist`)
    const list = await inventory.transceivers(actor, { portId: port.port_id })
    return { status: 'ok' as const, transceivers: list.map(presentTransceiver), count: list.length }
  }
  const portGate = operation({
    id: 'get_port_transceiver',
    gate: 'Port.viewAny',
    summary: 'Pluggable optics of a port',
  })
  // LibreNMS matches `/ports/:portid/transceiver` before the searches, so `search` and `mac` are port ids here.
  const hidden = { detail: { hide: true }, beforeHandle: portGate.beforeHandle }
  return (
    new Elysia({ name: 'v0.transceivers' })
      .use(v0Context)
      .get('/ports/search/transceiver', ({ actor }) => ofPort(actor, 'search'), hidden)
      .get('/ports/mac/transceiver', ({ actor }) => ofPort(actor, 'mac'), hidden)
      .get(
        '/devices/:hostname/transceivers',
        async ({ actor, params }) => {
          // Access is checked per port, so an unknown device simply has no rows.
          const device = await devices.resolve(params.hostname)
          const list = device ? await inventory.transceivers(actor, { deviceId: device.device_id }) : []
          return { status: 'ok' as const, transceivers: list.map(presentTransceiver), count: list.length }
        },
        {
          ...operation({
            id: 'get_device_transceivers',
            route: 'get_transceivers',
            gate: 'Device.viewAny',
            summary: 'Pluggable optics of a device',
          }),
          params: PortModel.hostname,
          response: { 200: TransceiverList },
        },
      )
      .get('/ports/:portid/transceiver', ({ actor, params }) => ofPort(actor, params.portid), {
        ...portGate,
        params: PortModel.portid,
        response: { 200: TransceiverList, 403: ErrorModel, 404: ErrorModel },
      })
      // The route is in the index, but neither LibreNMS nor the documentation defines what it does.
      .patch(
        '/ports/transceiver/metric/:metric',
        () => {
          throw new Unexplained(absent('Thresholds of optics are those of their sensors'))
        },
        {
          ...operation({
            id: 'update_transceiver_metric_thresholds',
            gate: 'Port.update',
            summary: 'Always refused: thresholds of optics are those of their sensors',
          }),
          params: documented(t.Object({ metric: t.String() })),
          response: refusals('forbidden', 'absent'),
        },
      )
  )
}
