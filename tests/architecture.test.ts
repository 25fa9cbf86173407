import { expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/**
 * What a folder may import: folders (`lib`, `core`: any of its subjects), single subjects (`core/alerts`), single
 * files (`poller/protocol.ts`), packages of ours (`@portlight/snmp`) and files of them, or `db`. Folders are those of src; in src/core each subject is one.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  observe: ['lib'],
  config: ['lib'],
  mibs: ['lib', '@portlight/snmp'],
  definitions: ['lib', 'mibs'],
  librenms: ['lib', '@portlight/mib-reader', '@portlight/snmp'],
  modules: [
    'lib',
    'mibs',
    'definitions',
    'librenms/form.ts',
    'librenms/store.ts',
    '@portlight/snmp',
    '@portlight/templates',
  ],
  postgres: ['lib', 'observe'],
  // of modules only their observations: `observation.ts` of all of them and of each
  series: ['lib', 'modules'],
  grafana: [],
  graphs: ['lib', 'observe', 'series', 'core/base/graphs.ts', 'core/database/client.ts', 'core/series'],
  api: ['lib', 'observe', 'config', 'core'],
  web: ['lib', 'observe', 'config', 'core', 'api/client-of-request.ts', 'api/elysia.ts'],
  'poller/worker': [
    ...['lib', 'observe', '@portlight/snmp', '@portlight/icmp', 'mibs', 'definitions', 'librenms/store.ts', 'modules'],
    ...['poller/protocol.ts', 'core/base/gateway.ts', 'scanner/bounded-reader.ts', 'scanner/read-identity.ts'],
  ],
  poller: [
    ...['lib', 'observe', 'config', '@portlight/snmp', '@portlight/icmp', 'mibs', 'definitions', 'modules', 'series'],
    ...[
      'poller/worker',
      'core/availability',
      'core/base/gateway.ts',
      'core/database',
      'core/devices',
      'core/discovery',
      'core/pollers',
    ],
    ...['core/polling', 'core/series', 'core/sightings/sighting.ts'],
  ],
  scanner: [
    ...['lib', 'observe', 'config', '@portlight/snmp', '@portlight/icmp', 'definitions'],
    ...['core/candidates', 'core/devices/credentials.ts', 'core/scans/network-options.ts', 'core/scans/scan.ts'],
  ],
  demo: ['lib', 'observe', '@portlight/snmp'],
  cli: [
    ...['lib', 'observe', 'config', 'core', 'grafana', 'librenms', 'postgres', '@portlight/snmp', 'mibs'],
    'definitions',
    ...['deploy/portlight.service', 'deploy/portlight-backup.service', 'deploy/portlight-backup.timer'],
  ],
  app: [
    ...[
      'lib',
      'observe',
      'config',
      'core',
      'librenms/definition-archive.ts',
      'librenms/store.ts',
      '@portlight/snmp',
      '@portlight/icmp',
      'series',
    ],
    ...['postgres', 'graphs', 'api', 'web', 'poller', 'scanner', 'demo', 'cli/app.ts'],
  ],
  'main.ts': ['cli', 'app'],
  db: [],
}

/** Packages of ours that whoever may import `lib` may import too. */
const GENERAL = ['@portlight/addresses', '@portlight/limit', '@portlight/pattern']

/** What every subject of src/core may import from outside of it. */
const CORE_IMPORTS = [
  ...['lib', 'observe', 'config', 'db', 'series', '@portlight/snmp/failure.ts', '@portlight/snmp/target.ts'],
  ...['modules/observation.ts', 'modules/*/observation.ts'],
]

/** What single subjects may import besides. */
const SUBJECT_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  'core/alerts': ['@portlight/snmp', '@portlight/templates'],
  'core/checks': ['@portlight/snmp', '@portlight/icmp', 'poller/scheduler.ts', 'poller/resolve.ts'],
  'core/import': ['@portlight/rrd', '@portlight/templates/parse.ts'],
  'core/logs': ['@portlight/snmp', 'mibs'],
}

/** The only files that may import a database driver, besides db/, src/core/database/ and src/core/schema/. */
const DRIVER_FILE = /^src\/core\/.*\/(read|write)[\w-]*\.ts$/

/** Packages and the only places that may import them. */
const WALLS: Readonly<Record<string, readonly string[]>> = {
  '@block65/webcrypto-web-push': ['core/alerts'],
  '@opentelemetry/api': ['observe'],
  '@opentelemetry/core': ['observe'],
  '@opentelemetry/exporter-trace-otlp-http': ['observe'],
  '@opentelemetry/resources': ['observe'],
  '@opentelemetry/sdk-trace': ['observe'],
  '@fontsource-variable/inter': ['web'],
  '@elysiajs/bearer': ['api'],
  '@napi-rs/canvas': ['graphs'],
  '@nats-io/jetstream': ['core/pollers'],
  '@nats-io/kv': ['core/pollers'],
  '@nats-io/transport-node': ['core/pollers'],
  commander: ['cli'],
  'csv-parse': ['lib'],
  'drizzle-orm': ['core', 'db'],
  elysia: ['api/elysia.ts'],
  marked: ['web'],
  minisearch: ['web'],
  nodemailer: ['core/alerts'],
  'openid-client': ['core/access'],
  otpauth: ['core/access'],
  'oui-data': ['core/inventory'],
  pino: ['observe'],
  postgres: ['core', 'db'],
  qr: ['web'],
  re2js: ['packages/pattern'],
  'swagger-ui-dist': ['api'],
  uplot: ['web'],
}

const MAX_LINES = 500
/** Most lines of a file of the program; of a function. */
const MAX_SOURCE_LINES = 400
const MAX_FUNCTION_LINES = 120

/** Files that are longer than the limit, to be divided by meaning; none may be added. */
const LONG_FILES: readonly string[] = []

/** Files with a function that is longer than the limit; none may be added. */
const LONG_FUNCTIONS: readonly string[] = []

/** Licences that let us ship a package. */
const LICENCES = new Set([
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'OFL-1.1',
  'PostgreSQL',
  'Unlicense',
  'CC0-1.0',
])

const root = dirname(import.meta.dir)
const tracked = trackedFiles()
const sources = tracked.filter(
  (path) => /^(src|db|packages\/[\w-]+\/src)\/.*\.tsx?$/.test(path) && !path.endsWith('.d.ts'),
)

interface Import {
  readonly file: string
  readonly target: string
}

/** Files under version control, or all but the installed and generated ones where there is no git. */
function trackedFiles(): string[] {
  const git =
    Bun.which('git') === null ? null : Bun.spawnSync(['git', 'ls-files', '-co', '--exclude-standard'], { cwd: root })
  if (git?.success === true)
    return git.stdout
      .toString()
      .split('\n')
      .filter((path) => path !== '' && existsSync(join(root, path)))
  console.warn('git is not installed or this is not a repository: every file outside node_modules and data is checked')
  return [...new Bun.Glob('**/*').scanSync({ cwd: root, dot: true })].filter(
    (path) => !/^(node_modules|data|dist|\.git)\//.test(path),
  )
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(
    /^\s*(?:import|export)\b[^'";]*?\bfrom\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]/gm,
  )
  return [...found].map((match) => ({ file, target: match[1] ?? match[2] ?? match[3] ?? '' }))
}

/** `src/poller/worker/x.ts` is in `poller/worker`, `src/core/alerts/rules/x.ts` in `core/alerts`, `src/main.ts` in itself. */
function folderOf(path: string): string {
  const [top = '', folder = '', sub = ''] = path.split('/')
  if (top === 'packages') return `${top}/${folder}`
  if (top !== 'src') return top
  const inner = `${folder}/${sub}`
  return folder === 'core' || inner in MAY_IMPORT ? inner : folder
}

/** Every import of a file of src or db by another one. */
const inner = sources.flatMap(importsOf).flatMap(({ file, target }) => {
  const ours = /^@portlight\/([\w-]+)\/(.+)$/.exec(target)
  if (ours !== null) return [{ file, path: `packages/${ours[1]}/src/${ours[2]}` }]
  if (!target.startsWith('.')) return []
  return [{ file, path: normalize(join(dirname(file), target)) }]
})

test('imports are those that the table allows', () => {
  const wrong = inner.flatMap(({ file, path }) => {
    const from = folderOf(file)
    const to = folderOf(path)
    const isSubject = from.startsWith('core/')
    // which packages a package needs is said in its package.json
    if (from.startsWith('packages/')) return to.startsWith('packages/') ? [] : [`${file} imports ${path}`]
    if (from === to || path === 'package.json' || (isSubject && to.startsWith('core/'))) return []
    const allowed = isSubject ? [...CORE_IMPORTS, ...(SUBJECT_IMPORTS[from] ?? [])] : MAY_IMPORT[from]
    if (allowed === undefined) return [`${file}: ${from} is not in the table`]
    const inside = path.replace(/^src\//, '').replace(/^packages\/([\w-]+)\/src\//, '@portlight/$1/')
    const alike = inside.replace(/^([^/]+)\/[^/]+\//, '$1/*/')
    const places = new Set([to, to.split('/')[0], to.replace('packages/', '@portlight/'), inside, alike])
    const general = allowed.includes('lib') ? GENERAL : []
    return [...allowed, ...general].some((place) => places.has(place)) ? [] : [`${file} imports ${path}`]
  })
  expect(wrong).toEqual([])
})

test('no folder imports, by way of others, a folder that imports it', () => {
  const imported = new Map<string, Set<string>>()
  for (const { file, path } of inner) {
    const from = folderOf(file)
    const to = folderOf(path)
    if (from === to || !path.startsWith('src/')) continue
    const known = imported.get(from) ?? new Set()
    imported.set(from, known.add(to))
  }
  const folders = new Set(sources.filter((file) => file.startsWith('src/')).map(folderOf))
  const count = [...imported.values()].reduce((sum, { size }) => sum + size, 0)
  console.log(`${folders.size} rooms (folders), ${count} arrows between them (one imports the other)`)
  expect(circlesOf(imported)).toEqual([])
})

test('only files named read or write import a database driver', () => {
  const wrong = sources.flatMap(importsOf).flatMap(({ file, target }) => {
    if (!/^(postgres|drizzle-orm)(\/|$)/.test(target)) return []
    return /^(db|src\/core\/(database|schema))\//.test(file) || DRIVER_FILE.test(file)
      ? []
      : [`${file} imports ${target}`]
  })
  expect(wrong).toEqual([])
})

test('the API and the pages reach the database only through services', () => {
  const wrong = inner.filter(
    ({ file, path }) =>
      /^src\/(api|web)\//.test(file) && (DRIVER_FILE.test(path) || folderOf(path) === 'core/database'),
  )
  expect(wrong).toEqual([])
})

/** Paths that lead back to where they began, as `a -> b -> a`. */
function circlesOf(graph: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (node: string, path: readonly string[]): void => {
    const at = path.indexOf(node)
    if (at >= 0) circles.push([...path.slice(at), node].join(' -> '))
    if (at >= 0 || done.has(node)) return
    for (const next of graph.get(node) ?? []) visit(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) visit(node, [])
  return circles
}

test('there are no import cycles, including imports of types', () => {
  const graph = new Map(sources.map((file): [string, string[]] => [file, []]))
  for (const { file, path } of inner) graph.get(file)?.push(path)
  expect(circlesOf(graph)).toEqual([])
})

test('forms of the API are used only by records', () => {
  // rules compare times as text; the labels of a bill's bars are not part of a record
  const others = new Set(['src/core/rules/compare.ts', 'src/core/bills/read.ts'])
  const wrong = sources.filter((file) => {
    if (!file.startsWith('src/core/') || file.startsWith('src/core/records/') || others.has(file)) return false
    const text = readFileSync(join(root, file), 'utf8')
    return text.includes('to_char(') || /from '[./]+\/records\/forms\.ts'/.test(text)
  })
  expect(wrong).toEqual([])
})

test('packages are imported only where the table allows it', () => {
  const wrong = sources.flatMap(importsOf).flatMap(({ file, target }) => {
    if (/^(\.|@portlight\/)/.test(target) || /^(node:|bun(:|$))/.test(target)) return []
    const name = target
      .split('/')
      .slice(0, target.startsWith('@') ? 2 : 1)
      .join('/')
    const places = WALLS[name]
    if (places === undefined) return [`${file} imports ${name}, which has no wall`]
    const here = [file.replace(/^src\//, ''), folderOf(file), folderOf(file).split('/')[0]]
    return places.some((place) => here.includes(place)) ? [] : [`${file} imports ${name}`]
  })
  expect(wrong).toEqual([])
})

test('only the renderer imports the canvas', () => {
  const users = sources.filter((file) => importsOf(file).some(({ target }) => target === '@napi-rs/canvas'))
  expect(users.filter((file) => !/^src\/graphs\/render[\w-]*\.ts$/.test(file))).toEqual([])
})

test('only main imports main or app', () => {
  const wrong = sources.flatMap(importsOf).filter(({ file, target }) => {
    if (!target.startsWith('.') || file === 'src/main.ts' || folderOf(file) === 'app') return false
    return ['main.ts', 'app'].includes(folderOf(normalize(join(dirname(file), target))))
  })
  expect(wrong).toEqual([])
})

test('every class of errors has its name', () => {
  const wrong = sources.flatMap((file) => {
    const classes = readFileSync(join(root, file), 'utf8').matchAll(/class (\w+) extends Error \{\s*(.*)/g)
    return [...classes].flatMap(([, name, next]) =>
      next === `override readonly name = '${name}'` ? [] : [`${file}: ${name}`],
    )
  })
  expect(wrong).toEqual([])
})

test(`no file is longer than ${MAX_LINES} lines`, () => {
  const long = tracked
    .filter((path) => /\.(tsx?|sh)$/.test(path))
    .flatMap((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n').length - 1
      return lines > MAX_LINES ? [`${path}: ${lines}`] : []
    })
  expect(long).toEqual([])
})

test(`no source file is longer than ${MAX_SOURCE_LINES} lines, except those listed`, () => {
  const long = sources.filter((path) => linesOf(path).length > MAX_SOURCE_LINES)
  expect(long.sort()).toEqual([...LONG_FILES].sort())
})

test(`no function is longer than ${MAX_FUNCTION_LINES} lines, except in the files listed`, () => {
  const long = sources.filter((path) => functionsOf(linesOf(path)).some((lines) => lines > MAX_FUNCTION_LINES))
  expect(long.sort()).toEqual([...LONG_FUNCTIONS].sort())
})

test('functions are measured from their first line to their closing brace', () => {
  const code = [
    'function a({',
    '  b,',
    '}: C): D {',
    '  const e = f.map((g) => {',
    '    return g',
    '  })',
    '  return {',
  ]
  const rest = ['    async h(i): Promise<void> {', '      j()', '    },', '  }', '}', 'if (k) {', '  l()', '}']
  expect(functionsOf([...code, ...rest])).toEqual([12, 3, 3])
})

function linesOf(path: string): string[] {
  return readFileSync(join(root, path), 'utf8').trimEnd().split('\n')
}

/** The first line of a declared function, an arrow function with a body, and a method. */
const FUNCTION_STARTS = [
  /^(export )?(default )?(async )?function\b/,
  /=> [{([]$/,
  /^(?!(if|for|while|switch|catch|return)\b)((static|private|async|get|set) )*[\w$#]+(<[^>]*>)?\(.*\)(: [^{}]*)? \{$/,
]

/** Lines of each function. The formatter puts the end of a function alone on a line, as far in as its first line. */
function functionsOf(lines: readonly string[]): number[] {
  return lines.flatMap((line, first) => {
    const code = line.trimStart()
    if (!FUNCTION_STARTS.some((start) => start.test(code))) return []
    const inset = line.length - code.length
    const length = lines
      .slice(first)
      .findIndex((end) => /^[})\]][),;\]}]*$/.test(end.slice(inset)) && end.search(/\S/) === inset)
    return length <= 0 ? [] : [length + 1]
  })
}

test('files with markup declare the source of its functions', () => {
  // the program is also started from other folders, where Bun does not read our tsconfig.json
  const wrong = tracked.filter(
    (path) =>
      path.endsWith('.tsx') && !readFileSync(join(root, path), 'utf8').startsWith('/** @jsxImportSource #jsx */'),
  )
  expect(wrong).toEqual([])
})

test('no file contains a path of one machine', () => {
  // split up so that this file does not contain one itself
  const machine = new RegExp(`/(${['wor' + 'k', 'hom' + 'e', 'User' + 's'].join('|')})/[a-z]`)
  const wrong = tracked.flatMap((path) => {
    const file = join(root, path)
    if (statSync(file).size > 1_000_000 || /\.(png|ttf|woff2?|lock)$/.test(path)) return []
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, i) => (machine.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : []))
  })
  expect(wrong).toEqual([])
})

test('every shipped package has a licence that permits it', () => {
  const wrong: string[] = []
  const seen = new Set<string>()
  const visit = (folder: string, names: readonly string[]) => {
    for (const name of names) {
      const found = findPackage(folder, name)
      if (found === null || seen.has(found)) continue // an optional package of another platform
      seen.add(found)
      const manifest = readManifest(found)
      const licence = typeof manifest['license'] === 'string' ? manifest['license'] : ''
      const choices = licence.replaceAll(/[()]/g, '').split(/ OR | AND /)
      if (!choices.every((choice) => LICENCES.has(choice))) wrong.push(`${name}: ${licence || 'none named'}`)
      visit(found, [...namesIn(manifest['dependencies']), ...namesIn(manifest['optionalDependencies'])])
    }
  }
  const manifest = readManifest(root)
  visit(root, [...namesIn(manifest['dependencies']), ...namesIn(manifest['optionalDependencies'])])
  expect(seen.size).toBeGreaterThan(5)
  expect(wrong).toEqual([])
})

/** The folder of a package as seen from another, the way module resolution looks for it. */
function findPackage(from: string, name: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (dirname(folder) === folder) return null
  }
}

function readManifest(folder: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function namesIn(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}
