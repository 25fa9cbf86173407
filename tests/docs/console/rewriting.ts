import { agentAddress, type House } from './house.ts'

/** How a page is followed here. */
export interface Place {
  /** The address of an agent of the page: host 1, 2 or 7 of 192.0.2.0/24. */
  address(host: number): string
  /** What is typed here for what the page says. */
  to(text: string): string
  /** What the page would show for what came. */
  back(text: string): string
}

/** Folders of pages that are below the folder of the test. */
const FOLDERS = [
  '/var/backups',
  '/var/lib/portlight',
  '/etc/portlight',
  '/etc/grafana',
  '/opt/librenms',
  '/srv',
  '/root',
]

/**
 * The addresses, ports and folders of the pages and what they are here: hosts of the documentation's network are agents
 * on loopback, the server has a port of its own, folders of the system are below the folder of the test.
 */
export function placeOf(house: House, page: number, replaced: readonly (readonly [string, string])[]): Place {
  const { server, folder } = house
  const url = server.url.replace('http://', '')
  const address = (host: number) => agentAddress(page, host)
  const pairs: readonly (readonly [string, string])[] = [
    ...replaced,
    ...[1, 2, 7].map((host) => [`192.0.2.${host}`, address(host)] as const),
    ...['127.0.0.1:8000', 'localhost:8000', 'localhost:8080'].map((at) => [at, url] as const),
    ...FOLDERS.map((path) => [path, `${folder}${path}`] as const),
    ['"X-Auth-Token: TOKEN"', '"X-Auth-Token: $TOKEN"'],
    ['curl -N', 'for_a_while curl -N'],
    ['snmp walk', `snmp walk --port ${house.agentPort}`],
  ]
  return {
    address,
    to: (text) => pairs.reduce((done, [from, to]) => done.replace(wholeOf(from), () => to), text),
    back(text) {
      const own = text
        .replace(/ --data-dir \S+/g, '')
        .replace(/(?<=^|\s)\S*\/portlight(?:-[\d.]+-linux-\w+)?(?= )/gm, './portlight')
        .replaceAll(`sw-${page}-`, 'sw-')
        .replaceAll(String(house.agentPort), '161')
      const known = pairs.reduce((done, [from, to]) => done.replaceAll(to, from), own)
      return known.replaceAll(folder, '').replace(/\b127\.0\.0\.1:\d{4,5}\b/g, '127.0.0.1:8000')
    },
  }
}

/** An address or a path, but not as a part of a longer one. */
function wholeOf(text: string): RegExp {
  const quoted = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const path = text.startsWith('/')
  return new RegExp(
    `${path ? '(?<![\\w./-])' : ''}${quoted}${/\d$/.test(text) ? '(?![\\d.])' : path ? '(?![\\w.-])' : ''}`,
    'g',
  )
}
