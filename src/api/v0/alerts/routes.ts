import type { AlertChangeResult } from '../../../core/alerts/service.ts'
import { invalid } from '../../../core/base/errors.ts'
import type { ListChunk } from '../../../core/base/lists.ts'
import type { Services } from '../../../core/services.ts'
import { members } from '../../body.ts'
import { Elysia } from '../../elysia.ts'
import { sharedParts } from '../../respond.ts'
import { operation, v0Context } from '../context.ts'
import { ErrorModel } from '../envelope.ts'
import { rowId } from '../lookup.ts'
import { AlertModel } from './model.ts'
import { alertFilter, alertOrder, flag } from './requests.ts'

/** Concurrent requests share the same list, so the answer is encoded only once. */
function alertsAnswer(chunks: readonly ListChunk[]): Response {
  return sharedParts(chunks, () => [
    '{"status":"ok","message":"","alerts":[',
    ...chunks.map(({ json }, i) => (i === 0 ? json : `,${json}`)),
    `],"count":${chunks.reduce((sum, { count }) => sum + count, 0)}}`,
  ])
}

const ACKNOWLEDGED: Readonly<Record<AlertChangeResult, string>> = {
  done: 'Alert has been acknowledged',
  ended: 'Alert has already ended, so it was not acknowledged',
  absent: 'No Alert by that ID',
}

const UNMUTED: Readonly<Record<AlertChangeResult, string>> = {
  done: 'Alert has been unmuted',
  ended: 'Alert has already ended, so it was not unmuted',
  absent: 'No alert by that ID',
}

/** Alerts: list, one, acknowledge, unmute. */
export const alertRoutes = ({ alerts }: Pick<Services, 'alerts'>) =>
  new Elysia({ name: 'v0.alerts', prefix: '/alerts' })
    .use(v0Context)
    .get(
      '',
      async ({ actor, query }) => {
        const found = await alerts.list(actor, alertFilter(query), alertOrder(query.order))
        return alertsAnswer(found)
      },
      {
        ...operation({ id: 'list_alerts', gate: 'Alert.viewAny', summary: 'Alerts, filtered and ordered' }),
        query: AlertModel.listQuery,
        response: { 200: AlertModel.list, 400: ErrorModel },
      },
    )
    .get(
      '/:id',
      async ({ actor, params, query }) => {
        const { states, ...filter } = alertFilter(query)
        const draft = { ...filter, id: rowId(params.id), ...(query.state !== undefined && { states: states ?? [] }) }
        const found = await alerts.list(actor, draft, alertOrder(query.order))
        return alertsAnswer(found)
      },
      {
        ...operation({ id: 'get_alert', gate: 'Alert.viewAny', summary: 'One alert in any state' }),
        params: AlertModel.id,
        query: AlertModel.listQuery,
        response: { 200: AlertModel.list, 400: ErrorModel },
      },
    )
    .put(
      '/:id',
      async ({ actor, params, body }) => {
        const { note, until_clear } = members(body)
        const id = numericId(params.id)
        const result = await alerts.acknowledge(actor, id, {
          note: noteOf(note),
          until: flag(until_clear) ? 'clear' : 'worse',
        })
        return { status: 'ok' as const, message: ACKNOWLEDGED[result] }
      },
      {
        ...operation({ id: 'ack_alert', gate: 'Alert.update', summary: 'Acknowledges an alert' }),
        params: AlertModel.id,
        body: AlertModel.acknowledge,
        response: { 200: AlertModel.message, 400: ErrorModel },
      },
    )
    .put(
      '/unmute/:id',
      async ({ actor, params, body }) => {
        const result = await alerts.unmute(actor, numericId(params.id), noteOf(members(body)['note']))
        return { status: 'ok' as const, message: UNMUTED[result] }
      },
      {
        ...operation({ id: 'unmute_alert', gate: 'Alert.update', summary: 'Makes an acknowledged alert active again' }),
        params: AlertModel.id,
        body: AlertModel.unmute,
        response: { 200: AlertModel.message, 400: ErrorModel },
      },
    )

function numericId(text: string): number {
  if (!/^\d+$/.test(text)) throw invalid('Invalid alert has been provided')
  return rowId(text)
}

const noteOf = (note: unknown): string =>
  typeof note === 'string' || typeof note === 'number' ? String(note).toWellFormed() : ''
