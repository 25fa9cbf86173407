/** @jsxImportSource #jsx */
import { notFound } from '../../../core/base/errors.ts'
import { addressOf, HELP, pathOf } from '../../help/address.ts'
import { type Document, openDocument } from '../../help/render.ts'
import { page } from '../../page.ts'
import { HelpFrame } from './frame.tsx'

/** Pages with fewer headings need no contents of their own. */
const WORTH_LISTING = 3
/** At most this many headings are listed; references have hundreds. */
const MAX_LISTED = 60

/** A page of the documentation. */
export const helpDetailPage = page<Document & { readonly here: string }>({
  path: `${HELP}/:section/:name`,
  gate: 'token',
  load({ params }) {
    const path = pathOf(params['section'] ?? '', params['name'] ?? '')
    const document = openDocument(path)
    if (document === null) throw notFound('there is no such page in the help')
    return Promise.resolve({ ...document, here: addressOf(path) })
  },
  view: ({ title, headings, body, here }) => {
    const parts = headings.filter(({ level }) => level === 2)
    return {
      title: `${title} - Help`,
      crumbs: [{ label: 'Help', href: HELP }, { label: title }],
      body: (
        <HelpFrame here={here}>
          {parts.length < WORTH_LISTING ? null : (
            <nav class="on-page" aria-label="On this page">
              <ul>
                {parts.slice(0, MAX_LISTED).map(({ id, text }) => (
                  <li>
                    <a href={`#${id}`}>{text}</a>
                  </li>
                ))}
              </ul>
            </nav>
          )}
          {body}
        </HelpFrame>
      ),
    }
  },
})
