import { invalid } from '../../core/base/errors.ts'
import { isId } from '../../core/base/ids.ts'
import type { AcceptOptions } from '../../core/candidates/candidate.ts'
import {
  CANDIDATE_ORDERS,
  type CandidateQuery,
  LIMITS,
  type RuleBody,
  SOURCE_KINDS,
} from '../../core/candidates/service.ts'
import type { Services } from '../../core/services.ts'
import { Elysia, t } from '../elysia.ts'
import { bearerPlugin } from '../token.ts'
import { candidateRecord, MODELS, ruleRecord } from './candidate-models.ts'
import { type Change, v1Change, v1Parse } from './change.ts'
import { idOf, textOf } from './given.ts'
import { described, IdPath, REFUSALS, WRITE_REFUSALS } from './model.ts'
import { type Run, v1Run } from './run.ts'

const Text = (description: string) => t.Optional(t.String({ description }))
const Query = t.NoValidate(
  t.Object({
    state: Text('new (default), ignored, added or all'),
    text: Text('Part of a name, a description, the hardware or an address'),
    network: Text('CIDR'),
    os: Text('Operating system'),
    source: Text(SOURCE_KINDS.join(', ')),
    order: Text(`${CANDIDATE_ORDERS.join(', ')}; with a minus in front: descending`),
    offset: Text('Default 0'),
    limit: Text(`1 to ${LIMITS.page}; default 50`),
  }),
)

/** Found devices, and rules about them. These operations are our own; LibreNMS has none like them. */
export const candidateRoutes = (services: Pick<Services, 'auth' | 'sessions' | 'candidates' | 'config' | 'log'>) => {
  const { candidates } = services
  const run = v1Run(services)
  const change = v1Change(services, run)

  return new Elysia({ name: 'v1.candidates' })
    .use(bearerPlugin())
    .onParse(v1Parse(services))
    .get(
      '/candidates',
      (asked) =>
        run('v1_candidates', asked, async (actor) => {
          const { rows, total } = await candidates.list(actor, queryOf(asked.query))
          return { meta: { total }, data: rows.map(candidateRecord) }
        }),
      {
        query: Query,
        response: { 200: MODELS.many, ...REFUSALS },
        detail: described('v1_candidates', 'Found devices that are not monitored, a page of them', 'Device.create'),
      },
    )
    .get(
      '/candidates/:id',
      (asked) =>
        run('v1_candidate', asked, async (actor) => ({
          data: candidateRecord(await candidates.get(actor, idOf(asked.params.id))),
        })),
      {
        params: IdPath,
        response: { 200: MODELS.one, ...REFUSALS },
        detail: described('v1_candidate', 'A found device', 'Device.create'),
      },
    )
    .use(decisionRoutes(candidates, change))
    .use(ruleRoutes(candidates, run, change))
}

function decisionRoutes(candidates: Services['candidates'], change: Change) {
  return new Elysia({ name: 'v1.candidate-decisions' })
    .use(bearerPlugin())
    .post(
      '/candidates/accept',
      (asked) =>
        change('v1_candidates_accept', 'candidates', asked, async (actor, given) => {
          const results = await candidates.accept(actor, idsOf(given['ids']), optionsOf(given))
          return {
            data: results.map(({ candidateId, deviceId, state, problem }) => ({
              candidate_id: candidateId,
              device_id: deviceId,
              state,
              problem,
            })),
          }
        }),
      {
        body: MODELS.acceptBody,
        response: { 200: MODELS.accepted, ...WRITE_REFUSALS },
        detail: described('v1_candidates_accept', 'Adds found devices, one after the other', 'Device.create'),
      },
    )
    .post(
      '/candidates/ignore',
      (asked) =>
        change('v1_candidates_ignore', 'candidates', asked, async (actor, given) => ({
          meta: { changed: await candidates.ignore(actor, idsOf(given['ids'])) },
        })),
      {
        body: MODELS.idsBody,
        response: { 200: MODELS.changed, ...WRITE_REFUSALS },
        detail: described(
          'v1_candidates_ignore',
          'Ignores found devices until they are no longer ignored',
          'Device.create',
        ),
      },
    )
    .post(
      '/candidates/unignore',
      (asked) =>
        change('v1_candidates_unignore', 'candidates', asked, async (actor, given) => ({
          meta: { changed: await candidates.unignore(actor, idsOf(given['ids'])) },
        })),
      {
        body: MODELS.idsBody,
        response: { 200: MODELS.changed, ...WRITE_REFUSALS },
        detail: described('v1_candidates_unignore', 'Lets ignored devices wait for a decision again', 'Device.create'),
      },
    )
    .post(
      '/candidates/exclude',
      (asked) =>
        change('v1_candidates_exclude', 'candidates', asked, async (actor, given) => ({
          meta: { network: await candidates.excludeNetwork(actor, textOf(given, 'network') ?? '') },
        })),
      {
        body: MODELS.excludeBody,
        response: { 200: MODELS.excluded, ...WRITE_REFUSALS },
        detail: described(
          'v1_candidates_exclude',
          'Adds a network to setting autodiscovery.nets-exclude',
          'role admin',
        ),
      },
    )
}

function ruleRoutes(candidates: Services['candidates'], run: Run, change: Change) {
  const type = 'candidate-rules'
  return new Elysia({ name: 'v1.candidate-rules' })
    .use(bearerPlugin())
    .get(
      '/candidate-rules',
      (asked) =>
        run('v1_candidate_rules', asked, async (actor) => ({ data: (await candidates.rules(actor)).map(ruleRecord) })),
      {
        response: { 200: MODELS.rules, ...REFUSALS },
        detail: described(
          'v1_candidate_rules',
          'Rules about found devices, in the order in which they are tried',
          'Device.create',
        ),
      },
    )
    .post(
      '/candidate-rules',
      (asked) =>
        change('v1_candidate_rule_add', type, asked, async (actor, given) => ({
          data: ruleRecord(await candidates.addRule(actor, ruleOf(given))),
        })),
      {
        body: MODELS.ruleBody,
        response: { 200: MODELS.rule, ...WRITE_REFUSALS },
        detail: described('v1_candidate_rule_add', 'Adds a rule behind the others', 'role admin'),
      },
    )
    .post(
      '/candidate-rules/order',
      (asked) =>
        change('v1_candidate_rules_order', type, asked, async (actor, given) => ({
          data: (await candidates.orderRules(actor, idsOf(given['ids']))).map(ruleRecord),
        })),
      {
        body: MODELS.orderBody,
        response: { 200: MODELS.rules, ...WRITE_REFUSALS },
        detail: described('v1_candidate_rules_order', 'Puts rules in this order, before those not named', 'role admin'),
      },
    )
    .put(
      '/candidate-rules/:id',
      (asked) =>
        change('v1_candidate_rule_change', type, asked, async (actor, given) => ({
          data: ruleRecord(await candidates.changeRule(actor, idOf(asked.params.id), ruleOf(given))),
        })),
      {
        params: IdPath,
        body: MODELS.ruleBody,
        response: { 200: MODELS.rule, ...WRITE_REFUSALS },
        detail: described('v1_candidate_rule_change', 'Replaces a rule; it keeps its place', 'role admin'),
      },
    )
    .delete(
      '/candidate-rules/:id',
      (asked) =>
        run('v1_candidate_rule_delete', asked, async (actor) => {
          await candidates.deleteRule(actor, idOf(asked.params.id))
          return { meta: { changed: 1 } }
        }),
      {
        params: IdPath,
        response: { 200: MODELS.changed, ...REFUSALS },
        detail: described('v1_candidate_rule_delete', 'Deletes a rule', 'role admin'),
      },
    )
}

function idsOf(value: unknown): number[] {
  if (!Array.isArray(value)) throw invalid("'ids' is not a list of ids")
  if (value.length > LIMITS.bulk) throw invalid(`'ids' has ${value.length} ids; the most at once is ${LIMITS.bulk}`)
  return value.map((id: unknown) => {
    if (typeof id !== 'number' || !Number.isSafeInteger(id))
      throw invalid(`'ids' has ${JSON.stringify(id)}, which is no id`)
    return id
  })
}

function optionsOf(given: Readonly<Record<string, unknown>>): AcceptOptions {
  const { poller_group: group, device_groups: groups, ping_only: pingOnly } = given
  const nameBy = textOf(given, 'name_by')
  if (nameBy !== undefined && nameBy !== 'dns' && nameBy !== 'sysname' && nameBy !== 'address')
    throw invalid("'name_by' is not dns, sysname or address")
  if (group !== undefined && group !== 0 && !isId(group)) throw invalid("'poller_group' is not an id")
  if (pingOnly !== undefined && typeof pingOnly !== 'boolean') throw invalid("'ping_only' is not true or false")
  return {
    nameBy,
    hostname: textOf(given, 'hostname'),
    pollerGroup: group,
    location: textOf(given, 'location'),
    deviceGroups: groups === undefined ? undefined : idsOf(groups),
    pingOnly,
  }
}

function ruleOf(given: Readonly<Record<string, unknown>>): RuleBody {
  const action = textOf(given, 'action')
  if (action !== 'accept' && action !== 'ignore') throw invalid("'action' is not accept or ignore")
  const [network, os, sysName, platform, protocol] = ['network', 'os', 'sysName', 'platform', 'protocol'].map((name) =>
    textOf(given, name),
  )
  return { action, network, os, sysName, platform, protocol }
}

function queryOf(query: Readonly<Record<string, string | undefined>>): CandidateQuery {
  const { state, source, order = '', offset, limit } = query
  const column = order.replace(/^-/, '')
  const one = <V extends string>(name: string, value: string | undefined, values: readonly V[]): V | undefined => {
    if (value === undefined || value === '') return undefined
    const found = values.find((known) => known === value)
    if (found === undefined) throw invalid(`'${name}' is not one of ${values.join(', ')}`)
    return found
  }
  const number = (name: string, value: string | undefined) => {
    if (value === undefined || value === '') return undefined
    if (!/^\d{1,9}$/.test(value)) throw invalid(`'${name}' is not a number`)
    return Number(value)
  }
  return {
    state: one('state', state, ['new', 'ignored', 'added', 'all']),
    text: query['text'],
    network: query['network'] || undefined,
    os: query['os'] || undefined,
    source: one('source', source, SOURCE_KINDS),
    order: one('order', column, CANDIDATE_ORDERS),
    ...(column !== '' && { descending: order.startsWith('-') }),
    offset: number('offset', offset),
    limit: number('limit', limit),
  }
}
