import type { Actor, Dialect } from '../../../core/base/actor.ts'
import type { LogName } from '../../../core/logs/service.ts'
import type { Services } from '../../../core/services.ts'
import { Elysia } from '../../elysia.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { listAnswer } from '../list-answer.ts'
import { lookUpDevice } from '../lookup.ts'
import { LogModel } from './model.ts'
import { logPage } from './requests.ts'

type Deps = Pick<Services, 'devices' | 'log' | 'logs'>
type Query = Parameters<typeof logPage>[0]

/** The four logs, of all devices and of one. */
export const logRoutes = ({ devices, log, logs }: Deps) => {
  type Asked = { readonly actor: Actor; readonly dialect: Dialect; readonly query: Query }
  const of = async (actor: Actor, hostname: string) => (await lookUpDevice(devices, actor, hostname)).device_id

  const answer = (name: LogName) => {
    return async ({ actor, dialect, query }: Asked, deviceId: number | null): Promise<Response> => {
      const { chunks, total } = logs.list(actor, name, logPage(query, dialect, deviceId))
      return await listAnswer(chunks, log, {
        name: 'logs',
        message: true,
        after: async (count) => ({ total: await total(count) }),
      })
    }
  }
  const [eventlog, syslog, alertlog, authlog] = [
    answer('eventlog'),
    answer('syslog'),
    answer('alertlog'),
    answer('authlog'),
  ]
  const all = { query: LogModel.query }
  const searched = { query: LogModel.searched }
  const searchedOne = { params: LogModel.hostname, query: LogModel.searched }
  const one = { params: LogModel.hostname, query: LogModel.query }
  const refused = { 400: ErrorModel, 403: ErrorModel, 404: ErrorModel }

  return new Elysia({ name: 'v0.logs', prefix: '/logs' })
    .use(v0Context)
    .get('/eventlog', ({ actor, dialect, query }) => eventlog({ actor, dialect, query }, null), {
      ...operation({
        id: 'list_eventlog_all',
        documented: 'list_eventlog',
        gate: 'Eventlog.viewAny',
        summary: 'Events of all devices',
      }),
      ...searched,
      response: { 200: LogModel.eventlog, 400: ErrorModel },
    })
    .get(
      '/eventlog/:hostname',
      async ({ actor, dialect, query, params }) =>
        eventlog({ actor, dialect, query }, await of(actor, params.hostname)),
      {
        ...operation({ id: 'list_eventlog', gate: 'Eventlog.viewAny', summary: 'Events of a device' }),
        ...searchedOne,
        response: { 200: LogModel.eventlog, ...refused },
      },
    )
    .get('/syslog', ({ actor, dialect, query }) => syslog({ actor, dialect, query }, null), {
      ...operation({
        id: 'list_syslog_all',
        documented: 'list_syslog',
        gate: 'Syslog.viewAny',
        summary: 'Syslog messages of all devices',
      }),
      ...searched,
      response: { 200: LogModel.syslog, 400: ErrorModel },
    })
    .get(
      '/syslog/:hostname',
      async ({ actor, dialect, query, params }) => syslog({ actor, dialect, query }, await of(actor, params.hostname)),
      {
        ...operation({ id: 'list_syslog', gate: 'Syslog.viewAny', summary: 'Syslog messages of a device' }),
        ...searchedOne,
        response: { 200: LogModel.syslog, ...refused },
      },
    )
    .get('/alertlog', ({ actor, dialect, query }) => alertlog({ actor, dialect, query }, null), {
      ...operation({
        id: 'list_alertlog_all',
        documented: 'list_alertlog',
        gate: 'AlertLog.viewAny',
        summary: 'Alert changes of all devices',
      }),
      ...all,
      response: { 200: LogModel.alertlog, 400: ErrorModel },
    })
    .get(
      '/alertlog/:hostname',
      async ({ actor, dialect, query, params }) =>
        alertlog({ actor, dialect, query }, await of(actor, params.hostname)),
      {
        ...operation({ id: 'list_alertlog', gate: 'AlertLog.viewAny', summary: 'Alert changes of a device' }),
        ...one,
        response: { 200: LogModel.alertlog, ...refused },
      },
    )
    .get('/authlog', ({ actor, dialect, query }) => authlog({ actor, dialect, query }, null), {
      ...operation({ id: 'list_authlog', gate: 'AuthLog.viewAny', summary: 'Logins and refused tokens' }),
      ...all,
      response: { 200: LogModel.authlog, 400: ErrorModel },
    })
}
