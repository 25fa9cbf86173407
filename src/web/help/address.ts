import { posix } from 'node:path'
import { percentDecoded } from '../../lib/percent-decoded.ts'

export const HELP = '/help'

/** The changelog as a page of the documentation. Its file is beside the folder `docs`. */
export const CHANGELOG = { page: 'project/changelog.md', file: '../CHANGELOG.md' } as const

/** Address of a page of the documentation by its path below `docs`: `/help/how-to/alerts`. `README.md` is `/help`. */
export function addressOf(path: string): string {
  if (path === 'README.md') return HELP
  return `${HELP}/${path.replace(/\.md$/, '').replace(/\/README$/, '/index')}`
}

/** Path below `docs` of the page at `/help/SECTION/NAME`. */
export const pathOf = (section: string, name: string): string => `${section}/${name === 'index' ? 'README' : name}.md`

/** Where images are: `/help-images/graphs/device_bits.png`. */
export const IMAGES = '/help-images'

/**
 * Where a link of a page leads on the web pages. Null: to a file of the source tree, which the program does not serve.
 * `page` is the path of the page below `docs`, or that of the changelog.
 */
export function linkOf(page: string, link: string): string | null {
  if (/^(?:https?:|mailto:|#)/.test(link)) return link
  const [path = '', anchor] = link.split('#')
  const folder = page === CHANGELOG.page ? '..' : posix.dirname(page)
  const target = posix.normalize(posix.join(folder, percentDecoded(path))).replace(/^\.\.\/docs\//, '')
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (target === CHANGELOG.file) return `${addressOf(CHANGELOG.page)}${hash}`
  if (target.startsWith('..')) return null
  if (target.endsWith('.md')) return `${addressOf(target)}${hash}`
  return target.startsWith('img/') ? `${IMAGES}/${target.slice('img/'.length)}` : null
}
