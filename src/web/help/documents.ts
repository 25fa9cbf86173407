import { EXECUTABLE } from '../../lib/compiled.ts'
import { documentFiles, readDocument } from './document-files.ts'

/** The documentation, from the source tree or from within the compiled program. */
export interface Documents {
  /** Paths of the pages below `docs`, such as `how-to/alerts.md`, sorted. */
  readonly pages: readonly string[]
  /** Markdown of a page; null: there is no such page. */
  text(path: string): string | null
  /** A PNG by its path; null: there is none. */
  image(path: string): Uint8Array<ArrayBuffer> | null
}

let opened: Documents | null = null

export function documents(): Documents {
  opened ??= EXECUTABLE ? embeddedIn(embedded()) : inTheTree()
  return opened
}

function inTheTree(): Documents {
  const files = new Set(documentFiles())
  return {
    pages: pagesOf(files),
    text: (path) => (files.has(path) && path.endsWith('.md') ? readDocument(path).toString('utf8') : null),
    image: (path) => (files.has(path) && path.endsWith('.png') ? Uint8Array.from(readDocument(path)) : null),
  }
}

function embeddedIn(files: Readonly<Record<string, string>>): Documents {
  const own = (path: string, ending: string) =>
    path.endsWith(ending) && Object.hasOwn(files, path) ? (files[path] ?? null) : null
  return {
    pages: pagesOf(Object.keys(files)),
    text: (path) => own(path, '.md'),
    image(path) {
      const encoded = own(path, '.png')
      return encoded === null ? null : Uint8Array.fromBase64(encoded)
    },
  }
}

const pagesOf = (files: Iterable<string>) => [...files].filter((path) => path.endsWith('.md'))

/** Uses `require`, because an import would run the macro on every start from source. */
function embedded(): Readonly<Record<string, string>> {
  const { DOCUMENTS } = require('./embedded.ts') as typeof import('./embedded.ts')
  return DOCUMENTS
}
