import { invalid } from '../../core/base/errors.ts'
import type { Scan } from '../../core/scans/scan.ts'
import type { ScanRequest } from '../../core/scans/service.ts'
import type { Services } from '../../core/services.ts'
import { members, readBody } from '../body.ts'
import { Elysia, t } from '../elysia.ts'
import { whole } from '../integer.ts'
import { bearerPlugin } from '../token.ts'
import { v1Parse } from './change.ts'
import { idOf } from './given.ts'
import { described, ErrorList, IdPath, REFUSALS, WRITE_REFUSALS } from './model.ts'
import { bodyTooLarge } from './present-error.ts'
import { v1Run } from './run.ts'

const TYPE = 'scans'
const GATE = 'role admin'
const Time = t.Union([t.String(), t.Null()], { description: 'ISO 8601, UTC; null: not yet' })
const Record = t.Object(
  {
    type: t.Literal(TYPE),
    id: t.String(),
    attributes: t.Object(
      {
        networks: t.Array(t.String(), { description: 'CIDR' }),
        poller_group: whole(),
        state: t.String({ description: 'waiting, running, stopped, done or failed' }),
        rate: whole({ description: 'Datagrams per second at most' }),
        counts: t.Object({
          total: whole({ description: 'Addresses that may be asked' }),
          done: whole(),
          excluded: whole({ description: 'Left out by autodiscovery.nets-exclude, or outside nets' }),
          answered_ping: whole(),
          answered_snmp: whole(),
          refused: t.Record(t.String(), whole(), { description: 'Addresses by the SNMP error that they answered' }),
          silent: whole(),
          found: whole(),
          added: whole(),
          known: whole(),
          ignored: whole(),
        }),
        started_by: t.String(),
        started_at: Time,
        ended_at: Time,
        rest_seconds: t.Union([whole(), t.Null()], { description: 'Estimated; null: not running, or unknown' }),
        why: t.Union([t.String(), t.Null()], {
          description: 'Why it failed, or why it found nothing and what to check; null: nothing to say',
        }),
      },
      { title: 'Scan' },
    ),
  },
  { title: 'ScanRecord' },
)
const One = t.NoValidate(t.Object({ data: Record }))
const Many = t.NoValidate(t.Object({ data: t.Array(Record) }))
const Start = t.NoValidate(
  t.Object(
    {
      data: t.Object({
        type: t.Literal(TYPE),
        attributes: t.Optional(
          t.Object({
            networks: t.Optional(
              t.Array(t.String(), { description: 'CIDR or addresses inside of setting nets; absent: all of nets' }),
            ),
            poller_group: t.Optional(whole()),
            rate: t.Optional(whole({ description: 'Datagrams per second at most' })),
            ping: t.Optional(t.Boolean()),
            snmp: t.Optional(t.Boolean()),
            large: t.Optional(t.Boolean({ description: 'Allows IPv4 networks larger than a /16' })),
          }),
        ),
      }),
    },
    { title: 'ScanStart' },
  ),
)
const CHANGED = { 200: One, 409: ErrorList, ...REFUSALS }

/** Scans for devices. These operations are our own; LibreNMS has none like them. */
export const scanRoutes = (services: Pick<Services, 'auth' | 'sessions' | 'scans' | 'config' | 'log'>) => {
  const { scans, config } = services
  const run = v1Run(services)
  return new Elysia({ name: 'v1.scans' })
    .use(bearerPlugin())
    .onParse(v1Parse(services))
    .get(
      '/scans',
      (asked) => run('v1_scans', asked, async (actor) => ({ data: (await scans.list(actor)).map(recordOf) })),
      {
        response: { 200: Many, ...REFUSALS },
        detail: described('v1_scans', 'Scans for devices, the newest 200', GATE),
      },
    )
    .post(
      '/scans',
      (asked) =>
        run('v1_scan_start', asked, async (actor) => {
          const body = await readBody(asked.request, config.get('api.max_body'))
          if (body.kind === 'too-large') return bodyTooLarge()
          if (body.kind !== 'read') throw invalid('The body is not valid JSON')
          return { data: (await scans.start(actor, requestOf(body.json))).map(recordOf) }
        }),
      {
        body: Start,
        response: { 200: Many, ...WRITE_REFUSALS },
        detail: described(
          'v1_scan_start',
          'Starts a scan; networks with different poller groups or rates become one scan each',
          GATE,
        ),
      },
    )
    .get(
      '/scans/:id',
      (asked) =>
        run('v1_scan', asked, async (actor) => ({ data: recordOf(await scans.get(actor, idOf(asked.params.id))) })),
      {
        params: IdPath,
        response: { 200: One, ...REFUSALS },
        detail: described('v1_scan', 'A scan and how far it is', GATE),
      },
    )
    .post(
      '/scans/:id/stop',
      (asked) =>
        run('v1_scan_stop', asked, async (actor) => ({
          data: recordOf(await scans.stop(actor, idOf(asked.params.id))),
        })),
      {
        params: IdPath,
        response: CHANGED,
        detail: described('v1_scan_stop', 'Stops a scan; it can be resumed', GATE),
      },
    )
    .post(
      '/scans/:id/resume',
      (asked) =>
        run('v1_scan_resume', asked, async (actor) => ({
          data: recordOf(await scans.resume(actor, idOf(asked.params.id))),
        })),
      {
        params: IdPath,
        response: CHANGED,
        detail: described('v1_scan_resume', 'Lets a scan that was stopped or failed go on where it was', GATE),
      },
    )
}

/** The scan that a body asks for. Throws `invalid` with what is wrong. */
function requestOf(json: unknown): ScanRequest {
  const data = members(members(json)['data'])
  if (data['type'] !== TYPE) throw invalid(`'data.type' is not '${TYPE}'`)
  const { networks, poller_group: group, rate, ping, snmp, large, ...others } = members(data['attributes'] ?? {})
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    throw invalid(`'${unknown.slice(0, 100)}' is not one of networks, poller_group, rate, ping, snmp, large`)
  if (networks !== undefined && !(Array.isArray(networks) && networks.every((one) => typeof one === 'string')))
    throw invalid("'networks' is not a list of strings")
  for (const [name, value] of Object.entries({ poller_group: group, rate }))
    if (value !== undefined && !Number.isSafeInteger(value)) throw invalid(`'${name}' is not a whole number`)
  for (const [name, value] of Object.entries({ ping, snmp, large }))
    if (value !== undefined && typeof value !== 'boolean') throw invalid(`'${name}' is not true or false`)
  return {
    networks: networks as string[] | undefined,
    pollerGroup: group as number | undefined,
    rate: rate as number | undefined,
    ping: ping as boolean | undefined,
    snmp: snmp as boolean | undefined,
    large: large as boolean | undefined,
  }
}

function recordOf(scan: Scan) {
  const { counts } = scan
  return {
    type: TYPE,
    id: String(scan.id),
    attributes: {
      networks: [...scan.networks],
      poller_group: scan.pollerGroup,
      state: scan.state,
      rate: scan.rate,
      counts: {
        ...{ total: counts.total, done: counts.done, excluded: counts.excluded },
        ...{ answered_ping: counts.answeredPing, answered_snmp: counts.answeredSnmp, refused: counts.refused },
        ...{ silent: counts.silent, found: counts.found, added: counts.added },
        ...{ known: counts.known, ignored: counts.ignored },
      },
      started_by: scan.startedBy,
      started_at: scan.startedAt?.toISOString() ?? null,
      ended_at: scan.endedAt?.toISOString() ?? null,
      rest_seconds: scan.restS,
      why: scan.why,
    },
  }
}
