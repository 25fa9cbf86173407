import { invalid } from '../../../core/base/errors.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { lookUpDevice } from '../lookup.ts'
import { refusals } from '../statuses.ts'
import { LogModel } from './model.ts'
import { newEvent } from './requests.ts'

/** Log entries from clients: events of a device, and syslog messages. */
export const logWriteRoutes = ({ devices, logs, syslog }: Pick<Services, 'devices' | 'logs' | 'syslog'>) =>
  new Elysia({ name: 'v0.log-writes' })
    .use(v0Context)
    .post(
      '/devices/:hostname/eventlog',
      async ({ actor, params: { hostname }, body }) => {
        const device = await lookUpDevice(devices, actor, hostname, `${hostname} device does not exist`)
        await logs.addEvent(actor, device, newEvent(body))
        return { status: 'ok' as const, message: `Eventlog received for ${hostname}` }
      },
      {
        ...operation({ id: 'add_eventlog', gate: 'Device.viewAny', summary: 'Adds an event of a device' }),
        params: LogModel.hostname,
        body: LogModel.addEvent,
        response: { 200: LogModel.message, ...refusals('invalid', 'unusable', 'forbidden', 'not_found') },
      },
    )
    .post(
      '/syslogsink',
      async ({ actor, body }) => {
        if (typeof body !== 'object' || body === null) throw invalid('Not valid json')
        const count = await syslog.receive(actor, Array.isArray(body) ? body : [body])
        return { status: 'ok' as const, message: `Syslog received: ${count}` }
      },
      {
        ...operation({
          id: 'syslogsink',
          route: 'post_syslogsink',
          gate: 'Device.update',
          summary: 'Adds syslog messages of devices',
        }),
        body: LogModel.sink,
        response: { 200: LogModel.message, 400: ErrorModel },
      },
    )
