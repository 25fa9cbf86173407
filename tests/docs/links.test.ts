import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

/** The Markdown files of the project, relative to its root. */
const PAGES = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'patches/README.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) => join('docs', path)),
].filter((path) => path.endsWith('.md'))

/** Without what only looks like a link or a heading. */
const prose = (text: string) => text.replace(/^(`{3,}).*?^\1$/gms, '').replace(/(`+)(?!`).*?[^`]\1(?!`)/gs, 'code')

/** Anchors of a page as GitHub makes them. */
function anchorsOf(path: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, path), 'utf8').replace(/^(`{3,}).*?^\1$/gms, '')
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.*)$/gm)) {
    const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const name = shown.replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').replaceAll(' ', '-')
    const taken = [name, ...Array.from({ length: 50 }, (_, i) => `${name}-${i + 1}`)].find((one) => !anchors.has(one))
    anchors.add(taken ?? name)
  }
  return anchors
}

const LINKS = PAGES.flatMap((page) =>
  [...prose(readFileSync(join(ROOT, page), 'utf8')).matchAll(/\]\(([^()\s]+)\)|(?:href|src)="([^"]+)"/g)].flatMap(
    ([, inline, html]) => {
      const link = inline ?? html ?? ''
      return /^[a-z]+:/.test(link) ? [] : [{ page, link }]
    },
  ),
)

test('every link leads to a file of the project, and to a heading of it', () => {
  expect(LINKS.length).toBeGreaterThan(300)
  const broken = LINKS.filter(({ page, link }) => {
    const [path = '', anchor] = link.split('#')
    const file = path === '' ? page : normalize(join(dirname(page), decodeURI(path)))
    if (relative(ROOT, join(ROOT, file)).startsWith('..') || !existsSync(join(ROOT, file))) return true
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).has(anchor)
  })
  expect(broken).toEqual([])
})

test('pages that the sources name exist', () => {
  const sources = ['src', 'db', 'bench', 'tests'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(?:tsx?|sql|yaml)$/.test(path))
      .map((path) => join(folder, path)),
  )
  const named = sources.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)].map(([page]) => ({ path, page })),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(({ page }) => !existsSync(join(ROOT, page)))).toEqual([])
})

test('files that pages name exist', () => {
  const named = PAGES.filter((page) => page.startsWith('docs/')).flatMap((page) =>
    [
      ...readFileSync(join(ROOT, page), 'utf8').matchAll(
        /`((?:src|tests|db|bench|deploy)\/[\w./-]+\.(?:tsx?|sql|sh))`/g,
      ),
    ].map(([, path = '']) => ({ page, path })),
  )
  expect(named.length).toBeGreaterThan(100)
  // the how-tos name files that following them makes
  const made = (page: string, path: string) => readFileSync(join(ROOT, page), 'utf8').includes(`\`\`\`ts ${path}\n`)
  expect(
    named.filter(({ page, path }) => !path.includes('NNNN') && !existsSync(join(ROOT, path)) && !made(page, path)),
  ).toEqual([])
})

test('every page of the documentation can be reached from docs/README.md', () => {
  const reached = new Set(['docs/README.md'])
  for (const page of reached)
    for (const { link } of LINKS.filter((one) => one.page === page)) {
      const file = normalize(join(dirname(page), link.split('#')[0] ?? ''))
      if (file.startsWith('docs/') && file.endsWith('.md')) reached.add(file)
    }
  expect(PAGES.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([])
})

test('every record of a decision has a status and a date, and a line in the index', () => {
  const index = readFileSync(join(ROOT, 'docs/adr/README.md'), 'utf8')
  for (const page of PAGES.filter((path) => /^docs\/adr\/\d{4}/.test(path))) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const [, title, status, date] =
      /^# \d+\. (.+)\n\n- Status: (accepted|superseded by \d+)\n- Date: (\d{4}-\d\d-\d\d)\n/.exec(text) ?? []
    expect({ page, status, date }).toEqual({ page, status: expect.any(String), date: expect.any(String) })
    expect(index).toContain(`| [${title}](${page.slice('docs/adr/'.length)}) | ${status} | ${date} |`)
  }
})
