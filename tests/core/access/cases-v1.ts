import type { Attempt, Case } from './cases.ts'
import type { World } from './world.ts'

const BY_ADMINISTRATORS = 'only administrators may'

/** A JSON:API body. */
const bodyOf = (type: string, attributes: object, id?: number) => ({
  data: { type, ...(id !== undefined && { id: String(id) }), attributes },
})

/** Changes of a fault: path, name of the operation, body. */
const FAULT_CHANGES = [
  ['acknowledge', 'acknowledge', { note: 'x' }],
  ['unacknowledge', 'unacknowledge', { note: 'x' }],
  ['assign', 'assign', { user_id: null }],
  ['mute', 'mute', { until: 'clear' }],
  ['notes', 'note', { note: 'x' }],
] as const

/** The writing operations of API v1, deletions last. */
export function v1Cases({ mine, foreign, other: person }: Pick<World, 'mine' | 'foreign' | 'other'>): Case[] {
  const limits = (id: number, aim: string): Attempt => ({
    aim,
    path: `/api/v1/sensors/${id}`,
    body: bodyOf(
      'sensors',
      { sensor_limit: 40, sensor_limit_warn: null, sensor_limit_low_warn: null, sensor_limit_low: 5 },
      id,
    ),
  })
  const candidates = (what: string, attributes: object, aim: string): Attempt => ({
    aim,
    path: `/api/v1/candidates/${what}`,
    body: bodyOf('candidates', attributes),
  })
  const rules = (rest: string, attributes: object, aim: string): Attempt => ({
    aim,
    path: `/api/v1/candidate-rules${rest}`,
    body: bodyOf('candidate-rules', attributes),
  })
  const other = [foreign('candidates')]
  const both = [mine('candidates'), foreign('candidates')]
  const decided = (what: string): readonly Attempt[] => [
    candidates(what, { ids: other }, 'reported by another device'),
    candidates(what, { ids: both }, 'one of them reported by another device'),
  ]
  const [rule, scan] = [foreign('candidate_rules'), foreign('scans')]
  const [operation, transport, group] = [
    foreign('alert_operations'),
    foreign('alert_transports'),
    foreign('alert_transport_groups'),
  ]
  const operationBody = (name: string) => bodyOf('operations', { name, segments: [{ targets: [String(transport)] }] })
  const groupBody = (name: string) => bodyOf('transport-groups', { name, transports: [transport] })
  return [
    {
      operation: 'v1_sensor_limits',
      foreign: [limits(foreign('sensors'), 'of another device')],
      own: [limits(mine('sensors'), 'of the granted device')],
    },
    ...FAULT_CHANGES.map(([what, name, body]) => ({
      operation: `v1_fault_${name}`,
      foreign: [{ aim: 'of another device', path: `/api/v1/faults/${foreign('faults')}/${what}`, body }],
      own: [{ aim: 'of the granted device', path: `/api/v1/faults/${mine('faults')}/${what}`, body }],
    })),
    ...(['port', 'sensor'] as const).map((kind) => {
      const path = (id: number) => `/api/v1/${kind}s/${id}/maintenance`
      const body = bodyOf('maintenance', { duration: '1:00' })
      return {
        operation: `v1_${kind}_maintenance_add`,
        foreign: [{ aim: 'of another device', path: path(foreign(`${kind}s`)), body }],
        own: [{ aim: 'of the granted device', path: path(mine(`${kind}s`)), body }],
      }
    }),
    ...(['ignore', 'unignore'] as const).map((what) => ({
      operation: `v1_candidates_${what}`,
      foreign: decided(what),
      own: [candidates(what, { ids: [mine('candidates')] }, 'reported by the granted device')],
    })),
    {
      operation: 'v1_candidates_accept',
      foreign: decided('accept'),
      own: 'needs a host that answers: tests/core/candidates/service.test.ts',
    },
    {
      operation: 'v1_candidates_exclude',
      foreign: [candidates('exclude', { network: '198.51.100.64/26' }, 'a network')],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_candidate_rule_add',
      foreign: [rules('', { action: 'ignore', os: 'ios' }, 'a rule')],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_candidate_rule_change',
      foreign: [rules(`/${rule}`, { action: 'accept', os: 'ios' }, 'a rule')],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_candidate_rules_order',
      foreign: [rules('/order', { ids: [rule] }, 'a rule')],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_scan_start',
      foreign: [
        {
          aim: 'an own network',
          path: '/api/v1/scans',
          body: bodyOf('scans', { networks: ['198.51.100.64/26'] }),
        },
      ],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_transport_test',
      foreign: [{ aim: 'a transport', path: `/api/v1/transports/${foreign('alert_transports')}/test` }],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_scan_stop',
      foreign: [{ aim: 'a scan', path: `/api/v1/scans/${scan}/stop` }],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_scan_resume',
      foreign: [{ aim: 'a scan', path: `/api/v1/scans/${scan}/resume` }],
      own: BY_ADMINISTRATORS,
    },
    ...onCallCases(foreign, person),
    {
      operation: 'v1_operation_add',
      foreign: [{ aim: 'an operation', path: '/api/v1/operations', body: operationBody('new') }],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_operation_change',
      foreign: [{ aim: 'an operation', path: `/api/v1/operations/${operation}`, body: operationBody('changed') }],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_transport_add',
      foreign: [
        {
          aim: 'a transport',
          path: '/api/v1/transports',
          body: bodyOf('transports', { name: 'another', kind: 'webhook', settings: { url: 'https://192.0.2.1/' } }),
        },
      ],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_transport_change',
      foreign: [
        {
          aim: 'a transport',
          path: `/api/v1/transports/${transport}`,
          body: bodyOf('transports', { default: true, settings: { url: 'https://192.0.2.1/' } }),
        },
      ],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_transport_group_add',
      foreign: [{ aim: 'a group', path: '/api/v1/transport-groups', body: groupBody('new') }],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_transport_group_change',
      foreign: [{ aim: 'a group', path: `/api/v1/transport-groups/${group}`, body: groupBody('changed') }],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_operation_delete',
      foreign: [{ aim: 'an operation', path: `/api/v1/operations/${operation}` }],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_transport_group_delete',
      foreign: [{ aim: 'a group', path: `/api/v1/transport-groups/${group}` }],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_transport_delete',
      foreign: [{ aim: 'a transport', path: `/api/v1/transports/${transport}` }],
      own: BY_ADMINISTRATORS,
    },
    {
      operation: 'v1_candidate_rule_delete',
      foreign: [{ aim: 'a rule', path: `/api/v1/candidate-rules/${rule}` }],
      own: BY_ADMINISTRATORS,
    },
  ]
}

/** A schedule of other people, and how another user is reached. */
function onCallCases(foreign: World['foreign'], { user, override }: World['other']): Case[] {
  const id = foreign('on_call_schedules')
  const schedule = { name: 'stolen', zone: 'UTC', layers: [{ begins: '2026-01-01 08:00', people: [user] }] }
  const times = { from: new Date().toISOString(), to: new Date(Date.now() + 3_600_000).toISOString() }
  const one = `/api/v1/on-call/schedules/${id}`
  const refused = (operation: string, path: string, aim: string, body?: object): Case => ({
    operation,
    foreign: [{ aim, path, ...(body !== undefined && { body }) }],
    own: BY_ADMINISTRATORS,
  })
  return [
    refused(
      'v1_on_call_schedule_add',
      '/api/v1/on-call/schedules',
      'a schedule',
      bodyOf('on-call-schedules', schedule),
    ),
    refused(
      'v1_on_call_schedule_change',
      one,
      'a schedule',
      bodyOf('on-call-schedules', { ...schedule, name: 'taken over' }),
    ),
    refused(
      'v1_on_call_override_add',
      `${one}/overrides`,
      'a schedule without the user',
      bodyOf('on-call-overrides', { user_id: user, ...times }),
    ),
    refused(
      'v1_on_call_person_change',
      `/api/v1/on-call/people/${user}`,
      'another user',
      bodyOf('on-call-people', { zone: 'UTC', ways: [] }),
    ),
    refused('v1_on_call_override_delete', `${one}/overrides/${override}`, 'a schedule without the user'),
    refused('v1_on_call_schedule_delete', one, 'a schedule'),
  ]
}
