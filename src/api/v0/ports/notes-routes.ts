import { invalid } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { members } from '../../body.ts'
import { Elysia, t } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'
import { lookUpDevice, rowId } from '../lookup.ts'

const NotesModel = {
  params: documented(t.Object({ hostname: t.String(), portid: t.String() })),
  body: documented(t.Object({ notes: t.String({ description: 'Empty: none' }) })),
  done: documented(t.Object({ status: Ok, message: t.String() })),
}

/** Users' notes about a port. */
export const portNotesRoutes = ({ devices, ports }: Pick<Services, 'devices' | 'ports'>) =>
  new Elysia({ name: 'v0.port-notes', prefix: '/devices/:hostname/port' }).use(v0Context).patch(
    '/:portid',
    async ({ actor, params: { hostname, portid }, body }) => {
      const { notes } = members(body)
      if (typeof notes !== 'string' && typeof notes !== 'number' && notes !== null) {
        throw invalid('Port field to patch has not been supplied.')
      }
      const { device_id } = await lookUpDevice(devices, actor, hostname, `Device ${hostname} not found`)
      await ports.annotate(device_id, rowId(portid), String(notes ?? ''))
      return { status: 'ok' as const, message: 'Port notes field has been updated' }
    },
    {
      ...operation({ id: 'update_device_port_notes', gate: 'Device.update', summary: 'Sets the notes of a port' }),
      params: NotesModel.params,
      body: NotesModel.body,
      response: { 200: NotesModel.done, 400: ErrorModel, 404: ErrorModel },
    },
  )
