import type { Services } from '../../../core/services.ts'
import { Elysia, t } from '../../elysia.ts'
import { whole } from '../../integer.ts'
import { factsOf } from '../../request-context.ts'
import { operation, v0Context } from '../context.ts'
import { documented, ErrorModel, Ok } from '../envelope.ts'

const SystemModel = {
  index: documented(t.Record(t.String(), t.String({ description: 'Absolute URL; parameters in braces' }))),
  ping: documented(t.Object({ message: t.Literal('pong') })),
  system: documented(
    t.Object({
      status: Ok,
      system: t.Array(
        t.Object({
          local_ver: t.String(),
          local_sha: t.String(),
          local_date: t.String(),
          local_branch: t.String(),
          db_schema: whole({ description: 'Number of migrations applied to the database' }),
          php_ver: t.String({ description: 'Always empty' }),
          python_ver: t.String({ description: 'Always empty' }),
          database_ver: t.String(),
          rrdtool_ver: t.String({ description: 'Always empty' }),
          netsnmp_ver: t.String({ description: 'Always empty' }),
        }),
      ),
      count: t.Literal(1),
    }),
  ),
}

/** The route index, ping, and versions of the installation. `index` returns path templates by name. */
export const systemRoutes = ({ system }: Pick<Services, 'system'>, index: () => ReadonlyMap<string, string>) =>
  new Elysia({ name: 'v0.system' })
    .use(v0Context)
    .get(
      '',
      ({ request }) => {
        const facts = factsOf(request)
        facts.operation = 'root'
        const { origin } = facts.client()
        return Object.fromEntries([...index()].map(([name, path]) => [name, origin + path]))
      },
      {
        detail: { operationId: 'root', summary: 'Route names and their URLs', 'x-gate': 'token' },
        response: { 200: SystemModel.index, 401: ErrorModel },
      },
    )
    .get('/ping', () => ({ message: 'pong' as const }), {
      ...operation({ id: 'ping', gate: 'token', summary: 'Whether the API answers' }),
      response: { 200: SystemModel.ping, 401: ErrorModel },
    })
    .get(
      '/system',
      async () => {
        const { version, migrations } = await system.database()
        const facts = {
          local_ver: system.version.version,
          local_sha: system.version.revision,
          local_date: system.version.builtAt,
          local_branch: '',
          db_schema: migrations,
          php_ver: '',
          python_ver: '',
          database_ver: version,
          rrdtool_ver: '',
          netsnmp_ver: '',
        }
        return { status: 'ok' as const, system: [facts], count: 1 as const }
      },
      {
        ...operation({ id: 'system', route: 'server_info', gate: 'token', summary: 'Versions of the installation' }),
        response: { 200: SystemModel.system, 401: ErrorModel },
      },
    )
