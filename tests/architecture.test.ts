import { expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** Where a folder's imports may point: folders of src (`lib`), single files (`snmp/table.ts`), or `db`. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  observe: ['lib'],
  config: ['lib'],
  snmp: ['lib', 'observe'],
  icmp: ['lib', 'observe'],
  mibs: ['lib', 'snmp/table.ts'],
  'definitions/reference': ['lib', 'definitions'],
  definitions: ['lib', 'mibs'],
  smi: [],
  librenms: ['lib', 'smi'],
  modules: ['lib', 'mibs', 'definitions', 'librenms/form.ts', 'librenms/store.ts', 'snmp/table.ts', 'snmp/value.ts'],
  postgres: ['lib', 'observe'],
  // of modules only their observations: `observation.ts` of all of them and of each
  series: ['lib', 'modules'],
  store: [
    'lib',
    'observe',
    'db',
    'series',
    'modules/observation.ts',
    'modules/*/observation.ts',
    'snmp/failure.ts',
    'snmp/target.ts',
  ],
  templates: ['lib'],
  rrd: [],
  backup: ['lib', 'observe', 'store'],
  import: [
    'lib',
    'config',
    'store',
    'series',
    'rrd',
    'templates/parse.ts',
    'domain/builder/compile.ts',
    'domain/builder/errors.ts',
  ],
  domain: ['lib', 'observe', 'config', 'store', 'templates', 'notify', 'snmp/failure.ts', 'snmp/target.ts'],
  graphs: [
    'lib',
    'observe',
    'series',
    'domain/graphs.ts',
    'store/client.ts',
    'store/series/annotations.ts',
    'store/series/read.ts',
    'store/series/subjects.ts',
  ],
  notify: ['lib', 'observe', 'config', 'snmp'],
  alerting: ['lib', 'observe', 'config', 'store', 'domain', 'notify', 'templates'],
  checks: [
    'lib',
    'observe',
    'config',
    'snmp',
    'icmp',
    'store',
    'poller/scheduler.ts',
    'poller/resolve.ts',
    'domain/host-services/arguments.ts',
    'domain/host-services/builtin.ts',
    'domain/host-services/plan.ts',
    'domain/host-services/probe.ts',
    'domain/host-services/range.ts',
    'domain/host-services/self-parts.ts',
    'domain/host-services/types.ts',
  ],
  listeners: ['lib', 'observe', 'snmp', 'mibs', 'store', 'domain'],
  grafana: [],
  api: ['lib', 'observe', 'config', 'domain'],
  web: ['lib', 'observe', 'config', 'domain', 'api/visitor.ts'],
  'poller/worker': [
    'lib',
    'observe',
    'snmp',
    'icmp',
    'mibs',
    'definitions',
    'librenms/store.ts',
    'modules',
    'poller/protocol.ts',
    'domain/gateway.ts',
  ],
  poller: [
    'lib',
    'observe',
    'config',
    'snmp',
    'icmp',
    'mibs',
    'definitions',
    'modules',
    'series',
    'store',
    'domain',
    'poller/worker',
  ],
  sites: [
    'lib',
    'observe',
    'config',
    'series',
    'modules/observation.ts',
    'snmp/failure.ts',
    'store',
    'domain/gateway.ts',
    'poller/centre.ts',
  ],
  demo: ['lib', 'observe', 'snmp'],
  cli: [
    'lib',
    'backup',
    'import',
    'observe',
    'config',
    'domain',
    'grafana',
    'librenms',
    'postgres',
    'snmp',
    'mibs',
    'notify/fields.ts',
    'notify/kind.ts',
    'notify/kinds.ts',
    'notify/webhook-body.ts',
    'store/archive/record.ts',
    'store/archive/state.ts',
    'store/database-address.ts',
    'sites/site-folder.ts',
    'store/client.ts',
    'store/grafana/copy-readers.ts',
    'store/imports/export.ts',
    'store/cluster/exclusive.ts',
    'store/migrate.ts',
    'deploy/portlight.service',
    'deploy/portlight-backup.service',
    'deploy/portlight-backup.timer',
    'store/secrets/codec.ts',
  ],
  compose: [
    'lib',
    'librenms/packed.ts',
    'librenms/store.ts',
    'observe',
    'config',
    'snmp',
    'icmp',
    'series',
    'store',
    'postgres',
    'domain',
    'graphs',
    'api',
    'web',
    'poller',
    'demo',
    'alerting',
    'checks',
    'notify',
    'listeners',
    'sites',
    'cli/composition.ts',
  ],
  'main.ts': ['cli', 'compose'],
  db: [],
}

/** Packages and the only places that may import them. */
const WALLS: Readonly<Record<string, readonly string[]>> = {
  '@opentelemetry/api': ['observe'],
  '@opentelemetry/core': ['observe'],
  '@opentelemetry/exporter-trace-otlp-http': ['observe'],
  '@opentelemetry/resources': ['observe'],
  '@opentelemetry/sdk-trace': ['observe'],
  '@fontsource-variable/inter': ['web'],
  '@elysiajs/bearer': ['api'],
  '@napi-rs/canvas': ['graphs'],
  '@nats-io/jetstream': ['sites'],
  '@nats-io/kv': ['sites'],
  '@nats-io/transport-node': ['sites'],
  commander: ['cli'],
  'drizzle-orm': ['store', 'db'],
  // schema of definition files, for editors and the documentation
  elysia: ['api', 'web', 'definitions/reference'],
  nodemailer: ['notify'],
  'openid-client': ['domain'],
  otpauth: ['domain'],
  'oui-data': ['domain'],
  pino: ['observe'],
  postgres: ['store', 'db'],
  qr: ['web'],
  re2js: ['lib'],
  'swagger-ui-dist': ['api'],
  uplot: ['web'],
}

const MAX_LINES = 500

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
const sources = tracked.filter((path) => /^(src|db)\/.*\.tsx?$/.test(path) && !path.endsWith('.d.ts'))

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

/** `src/poller/worker/x.ts` is in `poller/worker`, `src/main.ts` in `main.ts`, `src/compose.ts` in `compose`. */
function placeOf(path: string): string {
  const [top = '', folder = '', sub = ''] = path.split('/')
  if (top !== 'src') return top
  if (`${folder}/${sub}` in ARROWS) return `${folder}/${sub}`
  return folder === 'compose.ts' ? 'compose' : folder
}

test('imports follow the arrows', () => {
  const wrong = sources.flatMap(importsOf).flatMap(({ file, target }) => {
    if (!target.startsWith('.')) return []
    const path = normalize(join(dirname(file), target))
    const from = placeOf(file)
    const to = placeOf(path)
    const allowed = ARROWS[from]
    if (from === to || path === 'package.json') return []
    if (allowed === undefined) return [`${file}: ${from} is not in the table`]
    const inside = path.replace(/^src\//, '')
    const alike = inside.replace(/^([^/]+)\/[^/]+\//, '$1/*/')
    return allowed.some((place) => place === to || place === inside || place === alike)
      ? []
      : [`${file} imports ${path}`]
  })
  expect(wrong).toEqual([])
})

test('every place in the table exists', () => {
  const files = Object.values(ARROWS)
    .flat()
    .filter((place) => place.endsWith('.ts') && !place.includes('*'))
  expect(files.filter((place) => !existsSync(join(root, 'src', place)))).toEqual([])
})

test('there are no import cycles, including imports of types', () => {
  const graph = new Map(
    sources.map((file) => [
      file,
      importsOf(file).flatMap(({ target }) => (target.startsWith('.') ? [normalize(join(dirname(file), target))] : [])),
    ]),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file)
    if (at >= 0) cycles.push([...path.slice(at), file].join(' -> '))
    if (at >= 0 || done.has(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of sources) visit(file, [])
  expect(cycles).toEqual([])
})

test('forms of the API are used only by records', () => {
  // rules compare times as text; the labels of a bill's bars are not part of a record
  const others = new Set(['src/domain/builder/compare.ts', 'src/store/bills/read.ts'])
  const wrong = sources.filter((file) => {
    if (!/^src\/(store|domain)\//.test(file) || file.startsWith('src/store/records/') || others.has(file)) return false
    const text = readFileSync(join(root, file), 'utf8')
    return text.includes('to_char(') || /from '[./]+\/records\/forms\.ts'/.test(text)
  })
  expect(wrong).toEqual([])
})

test('packages are imported only where the table allows it', () => {
  const wrong = sources.flatMap(importsOf).flatMap(({ file, target }) => {
    if (target.startsWith('.') || /^(node:|bun(:|$))/.test(target)) return []
    const name = target
      .split('/')
      .slice(0, target.startsWith('@') ? 2 : 1)
      .join('/')
    const places = WALLS[name]
    if (places === undefined) return [`${file} imports ${name}, which has no wall`]
    return places.includes(placeOf(file)) ? [] : [`${file} imports ${name}`]
  })
  expect(wrong).toEqual([])
})

test('only the renderer imports the canvas', () => {
  const users = sources.filter((file) => importsOf(file).some(({ target }) => target === '@napi-rs/canvas'))
  expect(users.filter((file) => !/^src\/graphs\/render[\w-]*\.ts$/.test(file))).toEqual([])
})

test('only main imports main or compose', () => {
  const wrong = sources.flatMap(importsOf).filter(({ file, target }) => {
    if (!target.startsWith('.') || file === 'src/main.ts' || placeOf(file) === 'compose') return false
    return ['main.ts', 'compose'].includes(placeOf(normalize(join(dirname(file), target))))
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
