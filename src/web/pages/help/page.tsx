/** @jsxImportSource #jsx */
import { plain } from '../../components/values.tsx'
import { HELP } from '../../help/address.ts'
import { type Document, openDocument } from '../../help/render.ts'
import { type HelpHit, helpSearch } from '../../help/search.ts'
import { page } from '../../page.ts'
import { HelpFrame } from './frame.tsx'

const HITS = 20

interface HelpData {
  readonly text: string
  /** Null: nothing was searched for. */
  readonly hits: readonly HelpHit[] | null
  /** The first page; null: something was searched for. */
  readonly start: Document | null
}

/** The first page of the documentation, and its search. */
export const helpPage = page<HelpData>({
  path: HELP,
  gate: 'token',
  nav: { label: 'Help', icon: 'help', group: 'foot', order: 30 },
  async load({ query }) {
    const text = (query.get('q') ?? '').trim()
    const search = helpSearch()
    // whoever opens the help is likely to search next; making the index takes about a second
    const hits = text === '' ? null : (await search).find(text, HITS)
    return { text, hits, start: hits === null ? openDocument('README.md') : null }
  },
  view: ({ text, hits, start }) => ({
    title: text === '' ? 'Help' : `Help: ${text}`,
    crumbs: [{ label: 'Help', ...(hits !== null && { href: HELP }) }, ...(hits !== null ? [{ label: 'Search' }] : [])],
    body: (
      <HelpFrame here={HELP} text={text}>
        {hits === null ? start?.body : <Hits text={text} hits={hits} />}
      </HelpFrame>
    ),
  }),
})

function Hits({ text, hits }: { readonly text: string; readonly hits: readonly HelpHit[] }) {
  return (
    <>
      <h1>{hits.length === 0 ? `Nothing about “${plain(text)}”` : `Help about “${plain(text)}”`}</h1>
      {hits.length === 0 ? (
        <p>
          Try other words, or begin with <a href={HELP}>the contents</a>.
        </p>
      ) : (
        <ol class="hits">
          {hits.map(({ href, page: title, heading, excerpt }) => (
            <li>
              <a href={href}>{heading === null ? title : `${title}: ${heading}`}</a>
              <p>{excerpt}</p>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}
