import { idOf } from './id.ts'

/**
 * Addresses of LibreNMS pages that are found in bookmarks, notifications and other programs, with the pages they lead
 * to. `$1` is the first group. Addresses that are the same here (`/device/7`, `/devices`, `/alerts`) are not in the
 * table.
 */
export const BOOKMARKS: readonly (readonly [RegExp, string])[] = [
  [/^\/overview$/, '/'],
  [/^\/device\/device=(\w[\w.:-]*)\/tab=port\/port=(\d+)(?:\/.*)?$/, '/port/$2'],
  [/^\/device\/(?:device=)?([\w.:-]+)\/tab=ports?(?:\/.*)?$/, '/device/$1/ports'],
  [
    /^\/device\/(?:device=)?([\w.:-]+)\/tab=(health|graphs|logs|alerts|routing|vlans|neighbours|inventory|services|edit)(?:\/.*)?$/,
    '/device/$1/$2',
  ],
  [/^\/device\/(?:device=)?([\w.:-]+)\/tab=(?:overview|latency|performance)(?:\/.*)?$/, '/device/$1'],
  [/^\/device\/(?:device=)?([\w.:-]+)\/port\/port=?(\d+)(?:\/.*)?$/, '/port/$2'],
  [/^\/device\/device=([\w.:-]+)(?:\/.*)?$/, '/device/$1'],
  [/^\/device\/([\w.:-]+)\/(?:overview|latency|performance|map|notes|showconfig)(?:\/.*)?$/, '/device/$1'],
  [/^\/device\/([\w.:-]+)\/(?:arp)(?:\/.*)?$/, '/device/$1/fdb'],
  [/^\/device\/([\w.:-]+)\/[\w=-]+(?:\/.*)?$/, '/device/$1'],
  [/^\/devices\/.*$/, '/devices'],
  [/^\/ports\/.*$/, '/ports'],
  [/^\/health\/.*$/, '/health'],
  [/^\/wireless\/.*$/, '/wireless'],
  [/^\/routing\/.*$/, '/routing'],
  [/^\/map(?:\/.*)?$/, '/topology'],
  [/^\/port\/port=(\d+)(?:\/.*)?$/, '/port/$1'],
  [/^\/availability-map$/, '/devices'],
  [/^\/(?:outages|inventory|vlans)(?:\/.*)?$/, '/devices'],
  [/^\/alerts\/(?:.*\/)?.*=.*$/, '/alerts'],
  [/^\/alert-rules(?:\/.*)?$/, '/alerts/rules'],
  [/^\/alert-log(?:\/.*)?$/, '/alerts/history'],
  [/^\/templates(?:\/.*)?$/, '/alerts/templates'],
  [/^\/alert-transports(?:\/.*)?$/, '/alerts/transports'],
  [/^\/poller\/groups(?:\/.*)?$/, '/pollers/groups'],
  [/^\/poller(?:\/.*)?$/, '/pollers'],
  [/^\/users(?:\/.*)?$/, '/settings/users'],
  [/^\/api-access\/.*$/, '/api-access'],
  [/^\/settings\/.*$/, '/settings'],
  [/^\/addhost$/, '/devices/new'],
  [/^\/alert-schedule$/, '/maintenance'],
  [/^\/(?:eventlog|logs\/event)(?:\/.*)?$/, '/logs'],
  [/^\/syslog(?:\/.*)?$/, '/logs/syslog'],
  [/^\/bill\/bill_id=(\d+)(?:\/.*)?$/, '/bills/$1'],
  [/^\/bills\/.+$/, '/bills'],
  [/^\/(?:device-groups|port-groups)(?:\/.*)?$/, '/groups'],
  [/^\/services\/.+$/, '/services'],
  [/^\/login$/, '/sign-in'],
  [/^\/logout$/, '/account'],
]

/** Where an address of LibreNMS leads; null if it is not one. The time range of a graph is kept. */
export function bookmarkOf(url: URL): string | null {
  if (url.pathname === '/graph.php' || url.pathname.startsWith('/graph/')) return graphOf(url)
  for (const [pattern, to] of BOOKMARKS) {
    if (pattern.test(url.pathname)) return url.pathname.replace(pattern, to)
  }
  return null
}

/** `/graph.php?type=port_bits&id=7&from=…` and `/graph/type=port_bits/id=7/from=…`. */
function graphOf(url: URL): string | null {
  const members = new URLSearchParams(url.search)
  for (const part of url.pathname.split('/').slice(2)) {
    const at = part.indexOf('=')
    if (at > 0) members.set(part.slice(0, at), part.slice(at + 1))
  }
  const id = members.get('id') ?? members.get('device') ?? ''
  const type = members.get('type') ?? ''
  if (idOf(id) === 0) return null
  const range = new URLSearchParams()
  for (const name of ['from', 'to']) {
    const value = members.get(name)
    if (value !== null && /^[\w:+-]{1,40}$/.test(value)) range.set(name, value)
  }
  const query = range.size === 0 ? '' : `?${range}`
  if (type.startsWith('port_')) return `/port/${id}${query}`
  if (type.startsWith('device_')) return `/device/${id}/graphs${query}`
  return null
}
