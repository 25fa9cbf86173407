/** @jsxImportSource #jsx */
import type { Permission } from '../../core/base/permissions.ts'
import type { Assets } from '../assets/assets.ts'
import { Icon } from '../components/icon.tsx'
import { plain } from '../components/values.tsx'
import { pageZone } from '../components/zone.tsx'
import type { Child, Html } from '../jsx/jsx-runtime.ts'
import type { NavEntry, Notice, PageRequest, PageView, ScriptName } from '../page.ts'

/** What the document around a page needs. */
export interface Frame {
  readonly assets: Assets
  readonly scripts: readonly ScriptName[]
  readonly theme: 'light' | 'dark' | null
}

/** A navigation entry with its address. */
export interface NavLink extends NavEntry {
  readonly path: string
  readonly gate: Permission
  readonly also: readonly Permission[] | undefined
}

/** Counts next to navigation entries, by address: how many objects need attention. */
export type NavCounts = Readonly<Record<string, number>>

const GROUPS: readonly (readonly [NavEntry['group'], string | null])[] = [
  ['main', null],
  ['explore', 'Explore'],
  ['manage', 'Manage'],
  ['foot', null],
]

/** A complete HTML document around `children`. */
export function Document({
  frame,
  title,
  csrf,
  refresh,
  children,
}: {
  readonly frame: Frame
  readonly title: string
  readonly csrf?: string
  /** Address to which the browser is redirected immediately. */
  readonly refresh?: string
  readonly children?: Child
}): Html {
  const { assets, scripts, theme } = frame
  return (
    <html lang="en" data-theme={theme} data-zone={pageZone()}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        {csrf === undefined ? null : <meta name="csrf" content={csrf} />}
        {refresh === undefined ? null : <meta http-equiv="refresh" content={`0; url=${refresh}`} />}
        <title>{title} · Portlight</title>
        <link rel="icon" type="image/svg+xml" href={assets.url('brand.svg')} />
        <link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials" />
        <link rel="apple-touch-icon" href="/icon-192.png" />
        {/* beside the stylesheet that names it, so that the first paint has it; optional there: it never moves what is shown */}
        <link rel="preload" href={assets.url('inter.woff2')} as="font" type="font/woff2" crossorigin="anonymous" />
        <link rel="stylesheet" href={assets.url('style.css')} />
        <script src={assets.url('main.js')} type="module" />
        {scripts.map((name) => (
          <script src={assets.url(name)} type="module" />
        ))}
      </head>
      <body>{children}</body>
    </html>
  )
}

/** The logo. */
const Brand = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <rect x="2" y="3" width="20" height="18" rx="4.5" fill="none" stroke="currentColor" stroke-width="2" />
    <path d="M7 20v-5h2.5v-2.5h5V15H17v5" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" />
    <circle class="m-ok" cx="17.5" cy="7.5" r="2.2" fill="currentColor" />
  </svg>
)

/** The card of a page without navigation: sign-in and signed out. */
export const DoorCard = ({ children }: { readonly children?: Child }) => (
  <main class="door" id="main">
    <div class="card">
      <h1 class="brand">
        <Brand />
        Portlight
      </h1>
      {children}
    </div>
  </main>
)

/** A page with navigation, search and the account menu. */
export function Layout({
  frame,
  view,
  visit,
  nav,
  counts,
  notice,
}: {
  readonly frame: Frame
  readonly view: PageView
  readonly visit: PageRequest
  readonly nav: readonly NavLink[]
  readonly counts: NavCounts
  readonly notice: Notice | null
}): Html {
  const here = currentOf(nav, visit.url.pathname)
  return (
    <Document frame={frame} title={view.title} csrf={visit.session.csrf}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <div class="shell">
        <nav class="side" aria-label="Pages">
          <a class="brand" href="/">
            <Brand />
            <span>Portlight</span>
          </a>
          {GROUPS.map(([group, label]) => (
            <Group
              label={label}
              foot={group === 'foot'}
              links={nav.filter((link) => link.group === group)}
              here={here}
              counts={counts}
            />
          ))}
        </nav>
        <div class="main">
          <Top view={view} visit={visit} />
          <main class="page" id="main" tabindex="-1">
            {visit.viewer === null ? null : <Viewing visit={visit} />}
            {notice === null ? null : <NoticeBox notice={notice} />}
            {view.body}
          </main>
        </div>
      </div>
      <nav class="bar5" aria-label="Main pages">
        {nav
          .filter(({ bar }) => bar === true)
          .map((link) => (
            <a href={link.path} aria-current={link === here ? 'page' : null}>
              <Icon name={link.icon} />
              {link.label}
              {counts[link.path] ? <span class="dot">{counts[link.path]}</span> : null}
            </a>
          ))}
        <a href="/search" data-do="search">
          <Icon name="search" />
          Search
        </a>
      </nav>
    </Document>
  )
}

/** Says that an administrator sees the pages as another user. */
function Viewing({ visit }: { readonly visit: PageRequest }): Html {
  return (
    <div class="note warn" role="status">
      <div class="grow">
        <b dir="auto">Viewing as {plain(visit.actor.username)}.</b> You see what this user sees, and can change nothing.
      </div>
      <form class="inline" method="post" action="/view-as/end">
        <input type="hidden" name="csrf" value={visit.session.csrf} />
        <button class="btn s-s" type="submit">
          Stop viewing
        </button>
      </form>
    </div>
  )
}

function currentOf(nav: readonly NavLink[], path: string): NavLink | undefined {
  const section = path.split('/')[1] ?? ''
  const home: Readonly<Record<string, string>> = { device: '/devices', port: '/ports' }
  return (
    nav.find((link) => link.path === path) ??
    nav.find((link) => link.path === (home[section] ?? `/${section}`)) ??
    (section === 'port' ? nav.find((link) => link.path === '/devices') : undefined)
  )
}

function Group({
  label,
  links,
  here,
  counts,
  foot,
}: {
  readonly label: string | null
  readonly links: readonly NavLink[]
  readonly here: NavLink | undefined
  readonly counts: NavCounts
  readonly foot: boolean
}): Html {
  return (
    <>
      {foot ? <span class="grow" /> : null}
      {label !== null && links.length > 0 ? <h2>{label}</h2> : null}
      {links.map((link) => (
        <a
          class="n"
          href={link.path}
          title={link.label}
          aria-current={link === here ? 'page' : null}
          data-calm={link.calm === true}
        >
          <Icon name={link.icon} />
          <span class="lbl">{link.label}</span>
          {counts[link.path] ? (
            <span class={link.calm === true ? 'count' : 'count t-bad'}>{counts[link.path]}</span>
          ) : null}
        </a>
      ))}
    </>
  )
}

function Top({ view, visit }: { readonly view: PageView; readonly visit: PageRequest }): Html {
  const { username } = visit.actor
  return (
    <header class="top">
      <div class="crumbs">
        {view.crumbs.map(({ label, href }, i) => (
          <>
            {i > 0 ? <span class="sep">/</span> : null}
            {href === undefined ? <b>{label}</b> : <a href={href}>{label}</a>}
          </>
        ))}
      </div>
      <a
        class="find"
        href="/search"
        data-do="search"
        aria-label="Search devices, ports, MACs…"
        aria-keyshortcuts="/ Control+K"
      >
        <Icon name="search" />
        <span>Search devices, ports, MACs…</span>
        <kbd aria-hidden="true">/</kbd>
      </a>
      <span class="live" data-island="live" data-events="/api/v1/events" hidden>
        <i />
        <span>Live</span>
      </span>
      <button class="icon" type="button" data-do="theme" aria-label="Switch between light and dark" hidden>
        <Icon name="moon" />
      </button>
      <details class="menu">
        <summary class="who" aria-label={`${username.slice(0, 2).toUpperCase()}: signed in as ${username}`}>
          {username.slice(0, 2).toUpperCase()}
        </summary>
        <div class="sheet">
          <span class="sub">{username}</span>
          <a href="/account">Account</a>
          <form method="post" action="/sign-out">
            <input type="hidden" name="csrf" value={visit.session.csrf} />
            <button class="btn s-s" type="submit">
              Sign out
            </button>
          </form>
        </div>
      </details>
    </header>
  )
}

/** A message at the top of a page. */
export function NoticeBox({ notice: { tone, text, lines, blocks = [] } }: { readonly notice: Notice }): Html {
  return (
    <div class={`note ${tone}`} role="status">
      <div class="grow">
        <b>{text}</b>
        {lines === undefined ? null : <pre class="pre codes">{lines.join('\n')}</pre>}
        {blocks.map((block) => (
          <details open>
            <summary>{block.title}</summary>
            <pre class="pre wrap" dir="auto" tabindex="0">
              {block.text}
            </pre>
          </details>
        ))}
      </div>
    </div>
  )
}
