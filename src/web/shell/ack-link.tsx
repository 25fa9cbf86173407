/** @jsxImportSource #jsx */
import { clientOfRequest } from '../../api/client-of-request.ts'
import { type AnyElysia, Elysia } from '../../api/elysia.ts'
import { LINK_PATH, type LinkTarget, type LinkView } from '../../core/alerts/links/service.ts'
import type { Services } from '../../core/services.ts'
import { loadAssets } from '../assets/assets.ts'
import { Mark, type Tone, useSprite } from '../components/icon.tsx'
import { plain, Time } from '../components/values.tsx'
import type { Html } from '../jsx/jsx-runtime.ts'
import { redirect } from '../page.ts'
import { htmlAnswer } from './answer.ts'
import { TroubleBox, troubleOf } from './errors.tsx'
import { Document, DoorCard, type Frame } from './layout.tsx'
import { themeOf } from './session.ts'

/** The address says who may do what, so it is neither sent to other sites nor found by search engines. */
const SECRET = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' }

/**
 * The page of a link that acknowledges without signing in: GET shows it and changes nothing, because scanners of mail and
 * previews of chats fetch links; its button POSTs. A text that is not signed by this server costs no query.
 */
export function ackLinkRoutes({ alertLinks, log }: Pick<Services, 'alertLinks' | 'log'>): AnyElysia {
  const answered =
    (work: (request: Request, token: string) => Promise<Response>) =>
    async ({ request, params }: { readonly request: Request; readonly params: { readonly token: string } }) => {
      try {
        return await work(request, params.token)
      } catch (error) {
        const trouble = troubleOf(error, request, log)
        const frame = { assets: await loadAssets(), scripts: [], theme: themeOf(request) }
        const again = new URL(request.url).pathname
        const children = (
          <main class="door" id="main">
            <TroubleBox trouble={trouble} again={again} />
          </main>
        )
        return htmlAnswer(request, Document({ frame, title: trouble.title, children }), trouble.status, SECRET)
      }
    }

  async function show(request: Request, token: string): Promise<Response> {
    const view = await alertLinks.look(token)
    const assets = await loadAssets()
    useSprite(assets.url('icons.svg'))
    const document = LinkPage({ frame: { assets, scripts: [], theme: themeOf(request) }, view, nowMs: Date.now() })
    return htmlAnswer(request, document, STATUS[view.kind], SECRET)
  }

  return new Elysia({ name: 'web.ack', detail: { hide: true } }).get(`${LINK_PATH}/:token`, answered(show)).post(
    `${LINK_PATH}/:token`,
    answered(async (request, token) => {
      await alertLinks.use(token, clientOfRequest(request).address)
      // what became of it is shown by the page itself
      return redirect(`${LINK_PATH}/${encodeURIComponent(token)}`)
    }),
    { parse: 'none' },
  )
}

const STATUS: Readonly<Record<LinkView['kind'], number>> = { open: 200, used: 200, expired: 410, refused: 404 }

const NO_LINK = {
  expired: {
    title: 'This link has expired',
    text: 'Nothing was changed. Open the alert itself and sign in to acknowledge it.',
  },
  refused: {
    title: 'This link is not valid',
    text: 'It is incomplete, or whoever it was sent to no longer receives notifications. Nothing was changed. Copy the whole address from the message, or sign in to acknowledge the alert.',
  },
} as const

/** What a link shows. */
function LinkPage({
  frame,
  view,
  nowMs,
}: {
  readonly frame: Frame
  readonly view: LinkView
  readonly nowMs: number
}): Html {
  if (!('alerts' in view)) {
    const { title, text } = NO_LINK[view.kind]
    return (
      <Document frame={frame} title={title}>
        <DoorCard>
          <h2>{title}</h2>
          <p>{text}</p>
          <a class="btn" href="/alerts">
            Sign in
          </a>
        </DoorCard>
      </Document>
    )
  }
  const { alerts, receiver, usedAt, expiresMs } = view
  const open = alerts.filter(({ what }) => what === 'open')
  const canUse = view.kind === 'open' && open.length > 0
  return (
    <Document frame={frame} title={canUse ? 'Acknowledge' : titleOf(view)}>
      <DoorCard>
        <h2>
          {canUse ? (open.length === 1 ? 'Acknowledge this alert?' : 'Acknowledge these alerts?') : titleOf(view)}
        </h2>
        <ul class="rows">
          {alerts.map((alert) => (
            <Row alert={alert} nowMs={nowMs} />
          ))}
        </ul>
        {canUse ? (
          <form class="stack" method="post">
            <button class="btn first" type="submit">
              Acknowledge
            </button>
          </form>
        ) : null}
        <p class="sub" dir="auto">
          {usedAt === null ? (
            <>
              Sent to {plain(receiver)}, who is recorded as the one who acknowledged. The link can be used once, until{' '}
              <Time at={new Date(expiresMs)} nowMs={nowMs} clock />.
            </>
          ) : (
            <>
              Used <Time at={usedAt} nowMs={nowMs} clock /> for {plain(receiver)}.
            </>
          )}
        </p>
        {canUse ? null : (
          <a class="btn" href={alerts.length === 1 ? `/alerts/${alerts[0]?.id ?? ''}` : '/alerts'}>
            Open {alerts.length === 1 ? 'the alert' : 'the alerts'}
          </a>
        )}
      </DoorCard>
    </Document>
  )
}

/** What there is to say where nothing can be acknowledged. */
function titleOf({ alerts, kind }: Extract<LinkView, { alerts: unknown }>): string {
  if (alerts.some(({ what }) => what === 'acknowledged')) return 'Acknowledged'
  if (alerts.some(({ what }) => what === 'open')) return 'This link was used before'
  return kind === 'used' ? 'Acknowledged; the problem is over' : 'The problem is over'
}

const toneOf = (severity: string): Tone => (severity === 'critical' ? 'bad' : severity === 'warning' ? 'warn' : 'ok')

const WORDS = { open: '', acknowledged: 'acknowledged', ended: 'that problem is over' } as const

const Row = ({ alert: { device, rule, severity, what, began }, nowMs }: { alert: LinkTarget; nowMs: number }) => (
  <li>
    <Mark tone={what === 'open' ? toneOf(severity) : what === 'ended' ? 'ok' : 'ack'} label={severity} />
    <span class="grow" dir="auto">
      <b>{plain(device)}</b>: {plain(rule)}
      <span class="l2">
        {severity}
        {began === null ? null : (
          <>
            , since <Time at={new Date(began)} nowMs={nowMs} clock />
          </>
        )}
        {what === 'open' ? null : `, ${WORDS[what]}`}
      </span>
    </span>
  </li>
)
