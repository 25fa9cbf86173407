import { toDomainError } from '../../../core/base/errors.ts'
import { plain } from '../../components/values.tsx'
import type { Action, ActionResult, Form, PageRequest } from '../../page.ts'
import { lines } from '../add-device/stream.ts'
import type { Outcome, Row } from './view.tsx'

/** How long an answer to a browser without scripts waits for the work, which continues in any case. */
const WAIT_MS = 15_000

/** Receives what happens to several devices: a row for each, and at the end a sentence. */
export interface Listener {
  readonly row: (row: Row) => void
  /** Number of rows to expect. */
  readonly total: (rows: number) => void
  readonly end: (sentence: string) => void
}

export type Work = (visit: PageRequest, form: Form, listener: Listener) => Promise<void>

/** Results by form, for the page that answers it. */
const outcomes = new WeakMap<Form, Outcome>()

/** What became of the form that the page answers; null: none was sent. */
export const outcomeOf = ({ sent }: PageRequest): Outcome | null =>
  sent === null ? null : (outcomes.get(sent) ?? null)

/** Streams the results, or shows those of the first seconds to a browser without scripts. */
export async function answered(visit: PageRequest, form: Form, work: Work): ReturnType<Action> {
  return visit.streams ? streamed(visit, form, work) : await waited(visit, form, work)
}

function streamed(visit: PageRequest, form: Form, work: Work): Response {
  return lines(async (send) => {
    let done = 0
    let total = 0
    const listener: Listener = {
      total: (n) => {
        total = n
      },
      row: ({ what, text, state, to }) => {
        done++
        const step = { what: plain(what), result: plain(text), state, took: '' }
        send({ step, ...(to !== null && { link: to }), progress: `${done} of ${Math.max(total, done)}` })
      },
      end: (sentence) => send({ end: plain(sentence) }),
    }
    try {
      await work(visit, form, listener)
    } catch (error) {
      const known = toDomainError(error)
      if (known !== null) return send({ problem: plain(known.message), advice: [] })
      const reference = crypto.randomUUID().slice(0, 8)
      visit.services.log.error({ err: error, reference }, 'adding several devices failed')
      send({ problem: `Internal error in Portlight. See reference ${reference} in the log.`, advice: [] })
    }
  })
}

async function waited(visit: PageRequest, form: Form, work: Work): Promise<ActionResult> {
  const rows: Row[] = []
  let expected = 0
  let sentence: string | null = null
  const whole = work(visit, form, {
    total: (n) => {
      expected = n
    },
    row: (row) => rows.push(row),
    end: (text) => {
      sentence = text
    },
  })
  let timer: Timer | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, WAIT_MS)
  })
  try {
    await Promise.race([whole, late])
  } finally {
    clearTimeout(timer)
  }
  if (sentence === null)
    whole.catch((error: unknown) => visit.services.log.error({ err: error }, 'adding several devices failed'))
  const of = expected > rows.length ? ` of ${expected}` : ''
  const said = sentence ?? `${rows.length}${of} are done; the others continue in the background.`
  outcomes.set(form, { rows: [...rows], sentence: said })
  return { notice: { tone: rows.some(({ state }) => state === 'no') ? 'warn' : 'ok', text: said } }
}
