import type { ListedGroup, ListedTransport } from '../../core/alerts/transports/directory.ts'
import { invalid } from '../../core/base/errors.ts'
import { isId } from '../../core/base/ids.ts'
import type { Services } from '../../core/services.ts'
import { Elysia, t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { bearerPlugin } from '../token.ts'
import { type Change, v1Change, v1Parse } from './change.ts'
import { idOf } from './given.ts'
import { Changed, described, ErrorList, IdPath, REFUSALS, WRITE_REFUSALS } from './model.ts'
import { type Run, v1Run } from './run.ts'

const TYPE = 'transports'
const GROUPS = 'transport-groups'
const Settings = t.Union([t.Record(t.String(), t.Unknown()), t.Null()], {
  description: 'Settings of its kind, secrets as ***; null: only administrators see them',
})
const Transport = t.Object(
  {
    type: t.Literal(TYPE),
    id: t.String(),
    attributes: t.Object(
      {
        name: t.String(),
        kind: t.String(),
        default: t.Boolean({ description: 'Used by rules without transports and without an operation' }),
        settings: Settings,
        problems: t.Array(t.String(), { description: 'Why it cannot send; empty: nothing is known' }),
        rules: t.Array(whole(), { description: 'Ids of rules that name it' }),
        groups: t.Array(t.String(), { description: 'Names of its groups' }),
        waiting: whole({ description: 'Notifications that wait for it' }),
        given_up: whole({ description: 'Notifications that were given up' }),
      },
      { title: 'Transport' },
    ),
  },
  { title: 'TransportRecord' },
)
const Group = t.Object(
  {
    type: t.Literal(GROUPS),
    id: t.String(),
    attributes: t.Object(
      {
        name: t.String(),
        transports: t.Array(t.String(), { description: 'Names' }),
        rules: t.Array(whole(), { description: 'Ids of rules that name it' }),
      },
      { title: 'TransportGroup' },
    ),
  },
  { title: 'TransportGroupRecord' },
)
const one = <T extends typeof Transport | typeof Group>(record: T) => t.NoValidate(t.Object({ data: record }))
const many = <T extends typeof Transport | typeof Group>(record: T) => t.NoValidate(t.Object({ data: t.Array(record) }))
const Given = t.NoValidate(
  t.Object(
    {
      data: t.Object({
        type: t.Literal(TYPE),
        attributes: t.Object({
          name: t.Optional(t.String({ description: 'Only for a new one' })),
          kind: t.Optional(t.String({ description: 'Only for a new one: mail, slack, ...' })),
          default: t.Optional(t.Boolean()),
          settings: t.Optional(
            t.Record(t.String(), t.Unknown(), {
              description:
                'Settings of the kind; in a change those that are not named stay, and an empty text removes one',
            }),
          ),
        }),
      }),
    },
    { title: 'TransportBody' },
  ),
)
const GivenGroup = t.NoValidate(
  t.Object(
    {
      data: t.Object({
        type: t.Literal(GROUPS),
        attributes: t.Object({
          name: t.String(),
          transports: t.Array(whole(), { description: 'Ids of its transports' }),
        }),
      }),
    },
    { title: 'TransportGroupBody' },
  ),
)
const WRITES = { ...WRITE_REFUSALS, 409: ErrorList }
const VIEW = 'AlertTemplate.viewAny'
const ADMIN = 'role admin'
/** Maximum number of transports of a group. */
const MAX_MEMBERS = 1000

/** Transports of notifications, and groups of them. LibreNMS changes them only on its pages. */
export const transportRoutes = (
  services: Pick<Services, 'auth' | 'sessions' | 'transportDirectory' | 'config' | 'log'>,
) => {
  const { transportDirectory: transports } = services
  const run = v1Run(services)
  const change = v1Change(services, run)
  return new Elysia({ name: 'v1.transports' })
    .use(bearerPlugin())
    .onParse(v1Parse(services))
    .get(
      '/transports',
      (asked) => run('v1_transports', asked, async (actor) => ({ data: (await transports.list(actor)).map(recordOf) })),
      {
        response: { 200: many(Transport), ...REFUSALS },
        detail: described('v1_transports', 'Where notifications are sent: all transports', VIEW),
      },
    )
    .get(
      '/transports/:id',
      (asked) =>
        run('v1_transport', asked, async (actor) => ({
          data: recordOf(await transports.get(actor, idOf(asked.params.id))),
        })),
      {
        params: IdPath,
        response: { 200: one(Transport), ...REFUSALS },
        detail: described('v1_transport', 'One transport', VIEW),
      },
    )
    .post(
      '/transports',
      (asked) =>
        change('v1_transport_add', TYPE, asked, async (actor, given) => ({
          data: recordOf(
            await transports.add(actor, {
              kind: textOf('kind', given['kind']),
              name: textOf('name', given['name']),
              isDefault: flagOf('default', given['default']) ?? false,
              settings: settingsOf(given['settings']),
              rules: [],
            }),
          ),
        })),
      {
        body: Given,
        response: { 200: one(Transport), ...WRITES },
        detail: described('v1_transport_add', 'Adds a transport', ADMIN),
      },
    )
    .patch(
      '/transports/:id',
      (asked) =>
        change('v1_transport_change', TYPE, asked, async (actor, given) => ({
          data: recordOf(
            await transports.change(
              actor,
              idOf(asked.params.id),
              settingsOf(given['settings']),
              flagOf('default', given['default']),
            ),
          ),
        })),
      {
        params: IdPath,
        body: Given,
        response: { 200: one(Transport), ...WRITE_REFUSALS },
        detail: described('v1_transport_change', 'Changes settings of a transport', ADMIN),
      },
    )
    .delete(
      '/transports/:id',
      (asked) =>
        run('v1_transport_delete', asked, async (actor) => {
          await transports.remove(actor, idOf(asked.params.id))
          return { meta: { changed: 1 } }
        }),
      {
        params: IdPath,
        response: { 200: Changed, ...REFUSALS },
        detail: described('v1_transport_delete', 'Deletes a transport with its notifications', ADMIN),
      },
    )
    .use(groupRoutes(transports, run, change))
}

function groupRoutes(transports: Services['transportDirectory'], run: Run, change: Change) {
  return new Elysia({ name: 'v1.transport-groups' })
    .use(bearerPlugin())
    .get(
      '/transport-groups',
      (asked) =>
        run('v1_transport_groups', asked, async (actor) => ({ data: (await transports.groups(actor)).map(groupOf) })),
      {
        response: { 200: many(Group), ...REFUSALS },
        detail: described('v1_transport_groups', 'Groups of transports', VIEW),
      },
    )
    .get(
      '/transport-groups/:id',
      (asked) =>
        run('v1_transport_group', asked, async (actor) => ({
          data: groupOf(await transports.group(actor, idOf(asked.params.id))),
        })),
      {
        params: IdPath,
        response: { 200: one(Group), ...REFUSALS },
        detail: described('v1_transport_group', 'One group of transports', VIEW),
      },
    )
    .post(
      '/transport-groups',
      (asked) =>
        change('v1_transport_group_add', GROUPS, asked, async (actor, given) => ({
          data: groupOf(await transports.addGroup(actor, textOf('name', given['name']), idsOf(given['transports']))),
        })),
      {
        body: GivenGroup,
        response: { 200: one(Group), ...WRITES },
        detail: described('v1_transport_group_add', 'Adds a group of transports', ADMIN),
      },
    )
    .put(
      '/transport-groups/:id',
      (asked) =>
        change('v1_transport_group_change', GROUPS, asked, async (actor, given) => ({
          data: groupOf(
            await transports.changeGroup(
              actor,
              idOf(asked.params.id),
              textOf('name', given['name']),
              idsOf(given['transports']),
            ),
          ),
        })),
      {
        params: IdPath,
        body: GivenGroup,
        response: { 200: one(Group), ...WRITES },
        detail: described('v1_transport_group_change', 'Replaces name and transports of a group', ADMIN),
      },
    )
    .delete(
      '/transport-groups/:id',
      (asked) =>
        run('v1_transport_group_delete', asked, async (actor) => {
          await transports.removeGroup(actor, idOf(asked.params.id))
          return { meta: { changed: 1 } }
        }),
      {
        params: IdPath,
        response: { 200: Changed, ...REFUSALS },
        detail: described('v1_transport_group_delete', 'Deletes a group, not its transports', ADMIN),
      },
    )
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(`'${name}' is not a text`)
  return value.trim()
}

function flagOf(name: string, value: unknown): boolean | null {
  if (value === undefined) return null
  if (typeof value !== 'boolean') throw invalid(`'${name}' is not true or false`)
  return value
}

function settingsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid("'settings' is not an object")
  return { ...value }
}

function idsOf(value: unknown): number[] {
  if (!Array.isArray(value)) throw invalid("'transports' is not a list of ids")
  if (value.length > MAX_MEMBERS) throw invalid(`'transports' has ${value.length} ids, at most ${MAX_MEMBERS}`)
  return value.map((id: unknown) => {
    const number = typeof id === 'string' && /^\d{1,10}$/.test(id) ? Number(id) : id
    if (!isId(number)) throw invalid(`'transports' has ${JSON.stringify(id)?.slice(0, 100)}, which is no id`)
    return number
  })
}

function recordOf({ id, dead, name, kind, problems, rules, groups, waiting, settings, ...rest }: ListedTransport) {
  return {
    type: TYPE,
    id: String(id),
    attributes: {
      ...{ name, kind, default: rest.default, settings, problems: [...problems] },
      ...{ rules: [...rules], groups: [...groups], waiting, given_up: dead },
    },
  }
}

const groupOf = ({ id, name, members, rules }: ListedGroup) => ({
  type: GROUPS,
  id: String(id),
  attributes: { name, transports: [...members], rules: [...rules] },
})
