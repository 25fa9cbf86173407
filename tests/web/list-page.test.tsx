/** @jsxImportSource #jsx */
import { describe, expect, test } from 'bun:test'
import { invalid } from '../../src/core/base/errors.ts'
import { NoMatch, QuickFind } from '../../src/web/components/filters.tsx'
import { sortOf } from '../../src/web/components/table.tsx'
import type { Html } from '../../src/web/jsx/jsx-runtime.ts'
import { listPage } from '../../src/web/list-page.tsx'
import type { Page, PageRequest } from '../../src/web/page.ts'

const NUMBERS = Array.from({ length: 250 }, (_, i) => i + 1)
const MOST = 240

/** A list of the numbers to 250, from `least` on, and how often it was read. */
function listOfNumbers(more: { csv?: { name: string; most: number }; total?: null; nothing?: () => Html } = {}) {
  const reads: number[] = []
  const { total: none, ...options } = more
  const page = listPage({
    path: '/numbers',
    gate: 'token',
    title: 'Numbers',
    caption: 'Numbers, in order',
    what: ['number', 'numbers'],
    query(query) {
      const least = Number(query.get('least') ?? '1')
      if (!Number.isInteger(least)) throw invalid('The least number must be whole')
      return { least, ...sortOf(query, ['n', 'square'], 'n') }
    },
    async load(_, { least, offset, limit }) {
      reads.push(limit)
      const all = NUMBERS.filter((n) => n >= least)
      return { rows: all.slice(offset, offset + limit), total: none === null ? null : all.length }
    },
    columns: [{ id: 'n', label: 'N', sortable: true, cell: (n: number) => <b>{n}</b>, text: (n: number) => n }],
    filters: (_, { query }) => <QuickFind query={query} text="" />,
    empty: ({ wanted }) => <NoMatch title={`No number from ${wanted.least}`} list="/numbers" />,
    ...options,
  })
  return { page, reads }
}

async function shown(page: Page, query: string): Promise<string> {
  // all that a list without services and permissions needs of a request
  const view = await page.show({ query: new URLSearchParams(query) } as PageRequest)
  return view instanceof Response ? await view.text() : view.body.text
}

const rowsOf = (text: string) => [...text.matchAll(/<b>(\d+)<\/b>/g)].map(([, n]) => Number(n))
const pagerOf = (text: string) => /<nav class="pager"[^>]*><span>([^<]*)</.exec(text)?.[1] ?? null

describe('a list page', () => {
  test('shows the part that the address asks for, its order, and where it is', async () => {
    const text = await shown(listOfNumbers().page, 'page=2&sort=-n')
    expect(rowsOf(text)).toEqual(NUMBERS.slice(100, 200))
    expect(text).toContain('<h1>Numbers</h1>')
    expect(text).toContain('<div class="filters">')
    expect(text).toContain('<caption class="vh">Numbers, in order</caption>')
    expect(text).toContain('aria-sort="descending"')
    expect(pagerOf(text)).toBe('101 to 200 of 250 numbers')
    expect(text).toContain('rel="prev" href="?sort=-n"')
    expect(text).toContain('rel="next" href="?page=3&amp;sort=-n"')
  })

  test('says that no row matches, with the link that removes the filters', async () => {
    const text = await shown(listOfNumbers().page, 'least=251')
    expect(text).toContain('<h2>No number from 251</h2><a class="btn" href="/numbers">Remove filters</a>')
    expect(text).not.toContain('<table')
    expect(text).toContain('<div class="filters">')
    expect(pagerOf(text)).toBe('No numbers')
  })

  test('counts one row as one', async () => {
    expect(pagerOf(await shown(listOfNumbers().page, 'least=250'))).toBe('1 to 1 of 1 number')
  })

  test('a page beyond the end has no rows, and the way back', async () => {
    const text = await shown(listOfNumbers().page, 'page=9')
    expect(rowsOf(text)).toEqual([])
    expect(text).not.toContain('<table')
    expect(text).toContain('of 250 numbers')
    expect(text).toContain('rel="prev" href="?page=8"')
    expect(text).not.toContain('rel="next"')
  })

  test.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'page=100001', 'page='])(
    '%s is the first page',
    async (query) => {
      expect(rowsOf(await shown(listOfNumbers().page, query))).toEqual(NUMBERS.slice(0, 100))
    },
  )

  test.each(['sort=x', 'sort=', 'sort=-x'])('%s is the usual order', async (query) => {
    const text = await shown(listOfNumbers().page, query)
    expect(text).toMatch(query === 'sort=-x' ? /aria-sort="descending"/ : /aria-sort="ascending"/)
  })

  test('a filter that is refused is an error, and nothing is read', async () => {
    const { page, reads } = listOfNumbers({ csv: { name: 'numbers', most: MOST } })
    for (const query of ['least=1.5', 'least=x&page=2', 'least=x&format=csv'])
      await expect(shown(page, query)).rejects.toMatchObject({
        code: 'invalid',
        message: 'The least number must be whole',
      })
    expect(reads).toEqual([])
  })

  test('as CSV has all rows under the filters, up to the limit of the file', async () => {
    const { page, reads } = listOfNumbers({ csv: { name: 'numbers', most: MOST } })
    const lines = (await shown(page, 'format=csv&page=3&least=5')).trim().split('\r\n')
    expect(lines).toEqual(['N', ...NUMBERS.slice(4, 4 + MOST).map(String)].map((line) => expect.stringContaining(line)))
    expect(reads).toEqual([MOST])
  })

  test('without CSV, format=csv is not a file', async () => {
    expect(rowsOf(await shown(listOfNumbers().page, 'format=csv'))).toEqual(NUMBERS.slice(0, 100))
  })

  test('has no pager where all rows are shown, and no filters where there is nothing yet', async () => {
    expect(pagerOf(await shown(listOfNumbers({ total: null }).page, ''))).toBeNull()
    const text = await shown(listOfNumbers({ nothing: () => <p>None yet</p> }).page, '')
    expect(text).toBe('<div class="head"><h1>Numbers</h1></div><p>None yet</p>')
  })
})
