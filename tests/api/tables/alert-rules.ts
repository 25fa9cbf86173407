import { expect } from 'bun:test'
import { storeRule } from '../../support/alerts.ts'
import { type Answer, mint, type TestApi } from '../../support/api.ts'
import { get, message, type Row, send } from './row.ts'

const BUILDER = {
  condition: 'AND',
  rules: [
    { id: 'devices.os', field: 'devices.os', type: 'string', input: 'text', operator: 'not_equal', value: 'junos' },
  ],
  valid: true,
}
const valid = () => ({ name: `r${mint()}`, devices: [-1], builder: JSON.stringify(BUILDER), severity: 'critical' })

let name = ''

/** The rule with this name, as the API shows it. */
async function rule(api: TestApi, wanted: string) {
  const { json } = await api.call('GET', '/api/v0/rules')
  return (json as { rules: Record<string, unknown>[] }).rules.find((r) => r['name'] === wanted)
}

const refusals =
  (method: 'POST' | 'PUT', cases: readonly (readonly [body: unknown, message: string])[]) =>
  async (_: Answer, __: unknown, api: TestApi) => {
    for (const [body, text] of cases) {
      const answer = await api.call(method, '/api/v0/rules', { body })
      expect({ body, message: message(answer) }).toEqual({ body, message: text })
    }
  }

export const ALERT_RULE_ROWS: readonly Row[] = [
  {
    operation: 'list_alert_rules',
    status: 200,
    name: 'rules with the members of documentation and program',
    request: async (_, api) => {
      name = (await storeRule(api.store)).name
      return get('/rules')
    },
    check: (a) => {
      const { rules } = a.json as { rules: { name: string }[] }
      expect(rules.find((r) => r.name === name)).toEqual({
        id: expect.any(Number),
        name,
        device_id: -1,
        severity: 'critical',
        disabled: 0,
        invert_map: 0,
        query: 'select 1',
        rule: 'devices.status = 0',
        extra: '{"mute":false,"count":-1,"delay":0,"invert":false,"interval":0}',
        builder: '{"condition":"AND","rules":[{"field":"devices.status","operator":"equal","value":"0"}]}',
        proc: null,
        notes: null,
        alert_operation_id: null,
        devices: [],
        groups: [],
        locations: [],
        default_operation_step_duration_seconds: null,
        operations: [],
      } as never)
    },
  },
  {
    operation: 'get_alert_rule',
    status: 200,
    name: 'one rule',
    request: async (_, api) => get(`/rules/${(await storeRule(api.store)).ruleId}`),
    check: (a) => expect(a.json).toMatchObject({ count: 1, rules: [{ rule: 'devices.status = 0' }] }),
  },
  {
    operation: 'get_alert_rule',
    status: 404,
    name: 'no such rule',
    request: () => get('/rules/x'),
    check: (a) => expect(message(a)).toBe('No alert rule by that ID'),
  },
  {
    operation: 'delete_rule',
    status: 200,
    name: 'the rule is gone; an unknown id is 200 with a message',
    request: async (_, api) => send('DELETE', `/rules/${(await storeRule(api.store)).ruleId}`),
    check: async (a, _, api) => {
      expect(a.json).toEqual({ status: 'ok', message: 'Alert rule has been removed' })
      expect(message(await api.call('DELETE', '/api/v0/rules/2147483647'))).toBe('No alert rule by that ID')
    },
  },
  {
    operation: 'delete_rule',
    status: 400,
    name: 'no id',
    request: () => send('DELETE', '/rules/x'),
    check: (a) => expect(message(a)).toBe('Invalid rule id has been provided'),
  },
  {
    operation: 'add_rule',
    status: 200,
    name: 'durations, flags and severity in the forms of clients; the answer is only a status',
    request: () => {
      const body = valid()
      name = body.name
      return send('POST', '/rules', {
        ...body,
        severity: 'Warning',
        delay: '5 m',
        interval: '1h',
        count: '3',
        mute: true,
        invert: '1',
        disabled: 1,
        groups: null,
        locations: null,
      })
    },
    check: async (a, _, api) => {
      expect(a.json).toEqual({ status: 'ok' })
      const stored = await rule(api, name)
      expect(stored).toMatchObject({ severity: 'warning', disabled: 1, devices: [], groups: [], locations: [] })
      expect(stored).toMatchObject({ rule: 'devices.os != "junos"', notes: null, proc: null })
      expect(String(stored?.['query'])).not.toBe('')
      expect(JSON.parse(String(stored?.['builder']))).toEqual(BUILDER)
      expect(JSON.parse(String(stored?.['extra']))).toMatchObject({
        mute: true,
        count: 3,
        delay: 300,
        interval: 3600,
        invert: true,
      })
    },
  },
  {
    operation: 'add_rule',
    status: 400,
    name: 'missing members are reported in the order of the contract',
    request: () => send('POST', '/rules', { ...valid(), devices: [] }),
    check: async (a, d, api) => {
      expect(message(a)).toBe('Missing the devices or global device (-1)')
      await refusals('POST', [
        [{}, 'Missing the devices or global device (-1)'],
        [{ devices: -1 }, 'Missing the alert builder rule'],
        [{ ...valid(), builder: '' }, 'Missing the alert builder rule'],
        [{ ...valid(), name: '' }, 'Missing the alert rule name'],
        [{ ...valid(), severity: 'bad' }, 'Missing the severity'],
        [{ ...valid(), devices: [-1, 2_147_483_647] }, 'Invalid devices: 2147483647'],
        [{ ...valid(), groups: ['x'] }, 'Invalid groups: -1'],
        [{ ...valid(), locations: [2_147_483_647] }, 'Invalid locations: 2147483647'],
      ])(a, d, api)
    },
  },
  {
    operation: 'add_rule',
    status: 400,
    name: 'not JSON, a builder without a query, a name in use',
    request: () => send('POST', '/rules', 'x'),
    check: async (a, d, api) => {
      expect(message(a)).toBe("We couldn't parse the provided json")
      const taken = valid()
      await api.call('POST', '/api/v0/rules', { body: taken })
      const regex = { field: 'devices.os', operator: 'regex', value: '(' }
      await refusals('POST', [
        [{ ...valid(), builder: { rules: [] } }, "We couldn't parse your rule"],
        [{ ...valid(), builder: 'x' }, "We couldn't parse your rule"],
        [{ ...valid(), builder: { condition: 'AND', rules: [regex] } }, "We couldn't parse your rule"],
        [{ ...valid(), name: taken.name.toUpperCase() }, 'Addition failed : Name has already been used'],
      ])(a, d, api)
    },
  },
  {
    operation: 'edit_rule',
    status: 200,
    name: 'replaces all members: omitted ones are unset',
    request: async (d, api) => {
      const body = { ...valid(), devices: [d.hostname], notes: 'n', proc: 'p', delay: '1d', disabled: 1, invert_map: 1 }
      await api.call('POST', '/api/v0/rules', { body })
      const before = await rule(api, body.name)
      expect(before).toMatchObject({
        devices: [d.deviceId],
        device_id: d.deviceId,
        notes: 'n',
        proc: 'p',
        invert_map: 1,
      })
      name = `${body.name}x`
      return send('PUT', '/rules', { ...valid(), name, rule_id: before?.['id'], devices: [-1, d.deviceId] })
    },
    check: async (a, d, api) => {
      expect(a.json).toEqual({ status: 'ok' })
      const after = await rule(api, name)
      expect(after).toMatchObject({ devices: [d.deviceId], notes: null, proc: null, disabled: 0, invert_map: 0 })
      expect(JSON.parse(String(after?.['extra']))).toMatchObject({ delay: 0, count: -1 })
    },
  },
  {
    operation: 'edit_rule',
    status: 200,
    name: 'without rule_id a new rule is created',
    request: () => {
      const body = valid()
      name = body.name
      return send('PUT', '/rules', body)
    },
    check: async (_, __, api) => expect(await rule(api, name)).toBeDefined(),
  },
  {
    operation: 'edit_rule',
    status: 400,
    name: 'without rule_id the devices are needed',
    request: () => send('PUT', '/rules', { ...valid(), devices: undefined }),
    check: (a) => expect(message(a)).toBe('Missing the devices or global device (-1)'),
  },
  {
    operation: 'edit_rule',
    status: 404,
    name: 'an unknown rule, and the name of another',
    request: () => send('PUT', '/rules', { ...valid(), rule_id: 2_147_483_647 }),
    check: async (a, d, api) => {
      expect(message(a)).toBe('Failed to update existing alert rule')
      const [one, other] = [await storeRule(api.store), await storeRule(api.store)]
      await refusals('PUT', [
        [{ ...valid(), rule_id: one.ruleId, name: other.name }, 'Update failed : Invalid rule id'],
        [{ ...valid(), rule_id: 'x' }, 'Failed to update existing alert rule'],
      ])(a, d, api)
    },
  },
]
