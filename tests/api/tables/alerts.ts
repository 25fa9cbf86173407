import { expect } from 'bun:test'
import { raiseAlert, storeRule } from '../../support/alerts.ts'
import type { TestApi } from '../../support/api.ts'
import type { Seeded } from '../fixtures.ts'
import { get, member, message, type Row, send } from './row.ts'

/** Objects of the last row, for its check. */
let made = { alertId: 0, ruleId: 0, name: '' }
async function raise({ store }: TestApi, { deviceId }: Seeded, state = 1) {
  const rule = await storeRule(store, { severity: 'warning', notes: 'call NOC' })
  const faults = [{ device_id: deviceId }]
  made = { ...rule, alertId: await raiseAlert(store, { deviceId, ruleId: rule.ruleId, state, faults }) }
  return made
}

const alert = async (api: TestApi, id: number) => {
  const [row] = await api.store.sql`select state, note, info from alerts where id = ${id}`
  return row
}

export const ALERT_ROWS: readonly Row[] = [
  {
    operation: 'list_alerts',
    status: 200,
    name: 'active alerts of a rule with the names of device and rule',
    request: async (d, api) => get(`/alerts?alert_rule=${(await raise(api, d)).ruleId}&order=timestamp%20ASC`),
    check: (a, d) =>
      expect(a.json).toEqual({
        status: 'ok',
        message: '',
        count: 1,
        alerts: [
          {
            hostname: d.hostname,
            id: made.alertId,
            device_id: d.deviceId,
            rule_id: made.ruleId,
            state: 1,
            alerted: 0,
            open: 1,
            note: '',
            timestamp: expect.stringMatching(/^2026-08-1\d \d\d:\d\d:00$/),
            info: '',
            severity: 'warning',
            name: made.name,
            proc: '',
            notes: 'call NOC',
          },
        ],
      }),
  },
  {
    operation: 'list_alerts',
    status: 200,
    name: 'states joined by commas, severity in any case',
    request: async (d, api) => get(`/alerts?state=2,3&severity=Warning&alert_rule=${(await raise(api, d, 3)).ruleId}`),
    check: (a) => expect(member(a, 'alerts')).toMatchObject([{ id: made.alertId, state: 3 }]),
  },
  {
    operation: 'list_alerts',
    status: 200,
    name: 'without a state only active ones; a non-numeric state finds nothing',
    request: async (d, api) => get(`/alerts?alert_rule=${(await raise(api, d, 2)).ruleId}`),
    check: async (a, _, api) => {
      expect(member(a, 'alerts')).toEqual([])
      expect(member(await api.call('GET', '/api/v0/alerts?state=x'), 'alerts')).toEqual([])
    },
  },
  {
    operation: 'list_alerts',
    status: 400,
    name: 'order by a column that alerts do not have',
    request: () => get('/alerts?order=password%20desc'),
    check: (a) => expect(message(a)).toBe('Invalid columns: password desc'),
  },
  {
    operation: 'get_alert',
    status: 200,
    name: 'one alert in any state',
    request: async (d, api) => get(`/alerts/${(await raise(api, d, 2)).alertId}`),
    check: (a) => expect(member(a, 'alerts')).toMatchObject([{ id: made.alertId, state: 2 }]),
  },
  {
    operation: 'get_alert',
    status: 200,
    name: 'an unknown id is an empty list',
    request: () => get('/alerts/999999999999'),
    check: (a) => expect(a.json).toEqual({ status: 'ok', message: '', alerts: [], count: 0 }),
  },
  {
    operation: 'get_alert',
    status: 400,
    name: 'order by a column that alerts do not have',
    request: () => get('/alerts/1?order=x'),
  },
  {
    operation: 'ack_alert',
    status: 200,
    name: 'note and until_clear are kept',
    request: async (d, api) =>
      send('PUT', `/alerts/${(await raise(api, d)).alertId}`, { note: 'on it', until_clear: true }),
    check: async (a, _, api) => {
      expect(a.json).toEqual({ status: 'ok', message: 'Alert has been acknowledged' })
      const DATE = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4} - Ack \(user\d+\) on it$/
      expect(await alert(api, made.alertId)).toEqual({
        state: 2,
        info: '{"until_clear":true}',
        note: expect.stringMatching(DATE),
      })
    },
  },
  {
    operation: 'ack_alert',
    status: 200,
    name: 'the body may be empty; an unknown alert is 200 with a message',
    request: async (d, api) => send('PUT', `/alerts/${(await raise(api, d)).alertId}`),
    check: async (a, _, api) => {
      expect(message(a)).toBe('Alert has been acknowledged')
      expect(await alert(api, made.alertId)).toMatchObject({ state: 2, info: '{"until_clear":false}' })
      expect(message(await api.call('PUT', '/api/v0/alerts/2147483647'))).toBe('No Alert by that ID')
    },
  },
  {
    operation: 'ack_alert',
    status: 400,
    name: 'no id',
    request: () => send('PUT', '/alerts/x', {}),
    check: (a) => expect(message(a)).toBe('Invalid alert has been provided'),
  },
  {
    operation: 'unmute_alert',
    status: 200,
    name: 'active again; the notes stay, each on a line',
    request: async (d, api) => {
      const { alertId } = await raise(api, d)
      await api.call('PUT', `/api/v0/alerts/${alertId}`, { body: { note: 'one', until_clear: true } })
      return send('PUT', `/alerts/unmute/${alertId}`, { note: 'two' })
    },
    check: async (a, _, api) => {
      expect(a.json).toEqual({ status: 'ok', message: 'Alert has been unmuted' })
      const stored = await alert(api, made.alertId)
      expect(stored).toMatchObject({ state: 1, info: '{"until_clear":true}' })
      expect(String(stored?.['note']).split('\n')).toEqual([
        expect.stringMatching(/ one$/),
        expect.stringMatching(/ two$/),
      ])
      expect(message(await api.call('PUT', '/api/v0/alerts/unmute/2147483647'))).toBe('No alert by that ID')
    },
  },
  {
    operation: 'unmute_alert',
    status: 400,
    name: 'no id',
    request: () => send('PUT', '/alerts/unmute/x'),
    check: (a) => expect(message(a)).toBe('Invalid alert has been provided'),
  },
  {
    operation: 'list_alert_templates',
    status: 200,
    name: 'templates with the ids of their rules',
    request: async (_, api) => {
      const { ruleId } = await storeRule(api.store)
      made = { ...made, ruleId }
      const body = { name: 't', template: '{{ $alert->title }}', title: 'T', alert_rules: [ruleId] }
      made = { ...made, alertId: Number(member(await api.call('POST', '/api/v0/alert_templates', { body }), 'id')) }
      return get('/alert_templates')
    },
    check: (a) => {
      const texts = { name: 't', template: '{{ $alert->title }}', title: 'T', title_rec: null }
      expect(member(a, 'alert_templates')).toContainEqual({ id: made.alertId, ...texts, alert_rules: [made.ruleId] })
    },
  },
  {
    operation: 'list_alert_templates',
    status: 403,
    name: 'role user may not list templates',
    request: async (_, api) => get('/alert_templates', { token: (await api.token(['user'])).token }),
  },
  {
    operation: 'get_alert_template',
    status: 200,
    name: 'an unknown id is an empty list',
    request: () => get('/alert_templates/x'),
    check: (a) => expect(a.json).toEqual({ status: 'ok', alert_templates: [], count: 0 }),
  },
  {
    operation: 'get_alert_template',
    status: 403,
    name: 'role user may not see templates',
    request: async (_, api) => get('/alert_templates/1', { token: (await api.token(['user'])).token }),
  },
  ...(['POST', 'PUT'] as const).flatMap((method): Row[] => {
    const operation = method === 'POST' ? 'add_alert_template' : 'edit_alert_template'
    return [
      {
        operation,
        status: 201,
        name: 'without template_id a new one',
        request: () => send(method, '/alert_templates', { name: 'n', template: 'x' }),
        check: (a) =>
          expect(a.json).toEqual({
            status: 'ok',
            message: 'Alert template has been created and attached rules have been updated.',
            id: expect.any(Number),
          }),
      },
      {
        operation,
        status: 200,
        name: 'with template_id it is replaced, including its rules',
        request: async (_, api) => {
          const { ruleId } = await storeRule(api.store)
          const body = { name: 'n', template: 'x', title: 'T', alert_rules: [ruleId] }
          const added = await api.call('POST', '/api/v0/alert_templates', { body })
          made = { ...made, ruleId, alertId: Number(member(added, 'id')) }
          return send(method, '/alert_templates', {
            template_id: String(made.alertId),
            name: 'm',
            template: 'y',
          })
        },
        check: async (a, _, api) => {
          expect(a.json).toEqual({
            status: 'ok',
            message: 'Alert template has been updated and attached rules have been updated.',
            id: made.alertId,
          })
          const read = await api.call('GET', `/api/v0/alert_templates/${made.alertId}`)
          expect(member(read, 'alert_templates')).toEqual([
            { id: made.alertId, name: 'm', template: 'y', title: null, title_rec: null, alert_rules: [] },
          ])
          const body = { name: 'n', template: 'x', alert_rules: [made.ruleId, 2_147_483_647] }
          expect((await api.call(method, '/api/v0/alert_templates', { body })).json).toMatchObject({
            status: 'warning',
            message: 'Alert template has been created but some attached rules have not been updated.',
          })
        },
      },
      {
        operation,
        status: 400,
        name: 'a text that cannot be read comes before what is missing',
        request: () => send(method, '/alert_templates', { template: '@if (1) x' }),
        check: async (a, _, api) => {
          expect(message(a)).toBe(
            'Template failed to be parsed, please check the syntax. Line 1, column 1: @if is not closed',
          )
          const refused = async (body: unknown) => message(await api.call(method, '/api/v0/alert_templates', { body }))
          expect(await refused({ template: 'x' })).toBe('name variable must be set')
          expect(await refused({ name: 'x' })).toBe('template variable must be set')
          expect(await refused({ name: 'Default Alert Template', template: 'x' })).toBe(
            'This template name is reserved!',
          )
        },
      },
      {
        operation,
        status: 404,
        name: 'an unknown template_id',
        request: () => send(method, '/alert_templates', { template_id: 2_147_483_647, name: 'x', template: 'y' }),
        check: (a) => expect(message(a)).toBe('Alert template 2147483647 does not exist'),
      },
    ]
  }),
]
