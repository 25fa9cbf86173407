import { alertKey, bodyOf, cut, escapedHtml, level, under } from '../format.ts'
import { type HttpRequest, type HttpResponse, sendHttp } from '../http.ts'
import { again, answered, judged, kind, postJson } from '../kind.ts'
import type { AlertNotification, Delivery } from '../notification.ts'
import type { SendDeps } from '../resolve.ts'

const MAX_NAME = 250
const MAX_TEXT = 20_000
/** Tickets of the alert that are looked at, newest first; usually all but one of them are solved. */
const MAX_TICKETS = 20
/** Urgency and impact of tickets, 1 (very low) to 5 (very high). */
const URGENCY = { ok: 2, warning: 3, critical: 5 } as const
const INCIDENT = 1
/** Columns in answers to a search for tickets. */
const COLUMN = { name: '1', id: '2', status: '12' } as const
/** Solved and closed. */
const OVER = new Set([5, 6])

/**
 * REST API of GLPI 9.5 to 11 (apirest.php): an alert opens a ticket, which later notifications follow up and the
 * recovery solves. The ticket is found by the key of the alert in its title.
 */
export const glpi = kind({
  name: 'glpi',
  title: 'GLPI',
  about:
    'An alert opens a ticket, which later notifications follow up. The key in the title, for example [portlight-alert-42], must stay there. Enable the REST API and login with an external token in GLPI (Setup, General, API).',
  fields: {
    url: {
      type: 'url',
      required: true,
      about: 'URL of the REST API: https://HOST/apirest.php, or https://HOST/api.php/v1 from version 11 on.',
    },
    user_token: { type: 'text', required: true, secret: true, about: 'API token of the user who opens tickets.' },
    app_token: { type: 'text', secret: true, about: 'Application token of the API client, if it has one.' },
    category: { type: 'integer', default: 0, min: 0, max: 2_147_483_647, about: 'Id of the category. 0: none.' },
    entity: { type: 'integer', default: -1, min: -1, max: 2_147_483_647, about: "Id of the entity. -1: the user's." },
    recovery: {
      type: 'choice',
      default: 'solve',
      choices: ['solve', 'followup'],
      about: 'What a recovery does: solve the ticket, or only add a followup.',
    },
    key: {
      type: 'text',
      default: 'portlight',
      pattern: /^[\w.-]{1,50}$/,
      example: 'letters, digits, -, _ and .',
      about: 'Prefix of keys. Use a different one for each Portlight installation.',
    },
  },
  deadlineMs: 30_000,
  async send(notification, values, deps) {
    const app: Readonly<Record<string, string>> = values.app_token === '' ? {} : { 'App-Token': values.app_token }
    const begun = await sendHttp(
      {
        ...get(under(values.url, '/initSession'), { ...app, Authorization: `user_token ${values.user_token}` }),
        hidesAnswer: true,
      },
      deps,
    )
    const token = begun.status === 200 ? answered(begun)?.['session_token'] : null
    if (typeof token !== 'string') return failed('sign in', begun, deps.now())
    const headers = { ...app, 'Session-Token': token }
    try {
      return await report(notification, values, { headers, deps })
    } finally {
      // a session that is not ended ends by itself
      await sendHttp(get(under(values.url, '/killSession'), headers), deps).catch(() => null)
    }
  },
})

interface Values {
  readonly url: string
  readonly key: string
  readonly category: number
  readonly entity: number
  readonly recovery: 'solve' | 'followup'
}

interface Session {
  readonly headers: Readonly<Record<string, string>>
  readonly deps: SendDeps
}

async function report(notification: AlertNotification, values: Values, session: Session): Promise<Delivery> {
  const { url, recovery } = values
  const { headers, deps } = session
  const mark = `[${alertKey(values.key, notification)}]`
  const search = await sendHttp(get(searchUrl(url, mark), headers), deps)
  if (search.status < 200 || search.status > 299) return failed('search for the ticket', search, deps.now())
  const ticket = openTicket(search, mark)
  const { kind: what } = notification
  if (ticket === null) {
    // no ticket was opened, or it was solved by hand
    if (what === 'recovery' || what === 'ack') return { kind: 'delivered' }
    return await posted(
      'open a ticket',
      postJson(under(url, '/Ticket'), draft(notification, values, mark), headers),
      deps,
    )
  }
  const solves = what === 'recovery' && recovery === 'solve'
  const input = { itemtype: 'Ticket', items_id: ticket, content: contentOf(notification) }
  const item = solves ? 'ITILSolution' : 'ITILFollowup'
  const doing = solves ? 'solve the ticket' : 'follow up the ticket'
  return await posted(doing, postJson(under(url, `/${item}`), { input }, headers), deps)
}

async function posted(doing: string, request: HttpRequest, deps: SendDeps): Promise<Delivery> {
  const response = await sendHttp(request, deps)
  // 207: an item of several was refused; there is only one
  return response.status === 207
    ? failed(doing, { ...response, status: 400 }, deps.now())
    : failed(doing, response, deps.now())
}

/** The outcome of a response, with what was attempted if it failed. */
function failed(doing: string, response: HttpResponse, now: number): Delivery {
  const outcome = judged(response, now)
  if (outcome.kind === 'delivered' && doing !== 'sign in') return outcome
  const because = outcome.kind === 'delivered' ? 'the receiver is not the REST API of GLPI' : outcome.reason
  const reason = `could not ${doing}: ${because}`
  return outcome.kind === 'retry' ? again(reason, outcome.afterMs ?? null) : { kind: 'refused', reason }
}

function draft(notification: AlertNotification, { category, entity }: Values, mark: string) {
  const urgency = URGENCY[level(notification)]
  return {
    input: {
      name: `${cut(notification.title, MAX_NAME - mark.length - 1)} ${mark}`,
      content: contentOf(notification),
      type: INCIDENT,
      urgency,
      impact: urgency,
      ...(category === 0 ? {} : { itilcategories_id: category }),
      ...(entity === -1 ? {} : { entities_id: entity }),
    },
  }
}

/** HTML: GLPI shows it so. */
function contentOf(notification: AlertNotification): string {
  const { title, url } = notification
  const body = bodyOf(notification).trim()
  const text = cut(body === '' ? title : `${title}\n\n${body}`, MAX_TEXT)
  const link = url === null ? '' : `<p><a href="${escapedHtml(url)}">${escapedHtml(url)}</a></p>`
  return `<p>${escapedHtml(text).replaceAll('\n', '<br>')}</p>${link}`
}

function searchUrl(base: string, mark: string): string {
  const query = new URLSearchParams([
    ['criteria[0][field]', COLUMN.name],
    ['criteria[0][searchtype]', 'contains'],
    ['criteria[0][value]', mark],
    ['forcedisplay[0]', COLUMN.id],
    ['forcedisplay[1]', COLUMN.status],
    ['sort', COLUMN.id],
    ['order', 'DESC'],
    ['range', `0-${MAX_TICKETS - 1}`],
  ])
  return `${under(base, '/search/Ticket')}?${query}`
}

/** Id of the newest ticket with the mark in its title that is neither solved nor closed; null: none. */
function openTicket(search: HttpResponse, mark: string): number | null {
  const data = answered(search)?.['data']
  const rows: readonly unknown[] = typeof data === 'object' && data !== null ? Object.values(data) : []
  const ids = rows.flatMap((row) => {
    const cells: Readonly<Record<string, unknown>> = typeof row === 'object' && row !== null ? { ...row } : {}
    const id = Number(cells[COLUMN.id])
    const named = String(cells[COLUMN.name] ?? '').includes(mark)
    return named && Number.isSafeInteger(id) && id > 0 && !OVER.has(Number(cells[COLUMN.status])) ? [id] : []
  })
  return ids.length === 0 ? null : Math.max(...ids)
}

const get = (url: string, headers: Readonly<Record<string, string>>): HttpRequest => ({
  method: 'GET',
  url,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: '',
})
