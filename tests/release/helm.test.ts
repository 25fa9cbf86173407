import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv'
import manifest from '../../package.json' with { type: 'json' }
import { projectDir } from '../cli/support.ts'

// The chart as helm renders it is kept in `rendered`, so that most is tested without helm. With helm in PATH, or at HELM, the
// chart is linted and compared with it; to write it anew: UPDATE_RENDERED=1 ./portlight test release/helm
// DEPLOY_CHECK is the program of `go` (go build -mod=mod): it reads manifests with the types of Kubernetes, compose.yaml with the
// library of Compose, and the Dockerfile with the parser of BuildKit.

const chart = join(projectDir, 'deploy/helm/portlight')
const rendered = join(import.meta.dir, 'rendered')
const CASES: Readonly<Record<string, readonly string[]>> = {
  default: ['--set', 'database.existingSecret=database-url'],
  everything: ['--values', join(rendered, 'everything.values.yaml')],
}

type Json = Readonly<Record<string, unknown>>
const record = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {})
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.map(record) : [])
/** The value at a path of members, for example `spec.template`. */
const at = (value: unknown, path: string): unknown => path.split('.').reduce((o, name) => record(o)[name], value)
const yaml = (path: string): unknown => Bun.YAML.parse(readFileSync(path, 'utf8'))

const helm = process.env['HELM'] ?? Bun.which('helm')
if (helm === null) console.warn('SKIPPED: helm is not installed: the chart is tested as it was rendered last')

describe.skipIf(helm === null)('helm', () => {
  const run = (...args: readonly string[]) => Bun.spawnSync([helm ?? '', ...args])

  test.each(Object.entries(CASES))('renders what is kept: %s', (name, args) => {
    const linted = run('lint', '--strict', chart, ...args)
    expect([linted.exitCode, linted.exitCode === 0 ? '' : linted.stdout.toString()]).toEqual([0, ''])
    const made = run('template', 'demo', chart, '--namespace', 'monitoring', '--kube-version', '1.30.0', ...args)
    expect(made.stderr.toString()).toBe('')
    const path = join(rendered, `${name}.yaml`)
    if (process.env['UPDATE_RENDERED'] !== undefined)
      Bun.spawnSync(['tee', path], { stdin: made.stdout, stdout: 'ignore' })
    expect(made.stdout.toString()).toBe(readFileSync(path, 'utf8'))
  })

  test('refuses a chart without a database, and misspelt values', () => {
    const template = (...args: readonly string[]) =>
      run('template', 'demo', chart, '--kube-version', '1.30.0', ...args).stderr.toString()
    expect(template()).toContain('database.existingSecret: the name of a secret')
    expect(template('--set', 'database.existingSecret=x,poler.replicas=2')).toContain('poler')
    expect(template('--set', 'database.existingSecret=x,poller.replicas=some')).toContain('integer')
  })
})

describe.each(Object.keys(CASES))('%s', (name) => {
  const documents = list(Bun.YAML.parse(readFileSync(join(rendered, `${name}.yaml`), 'utf8')))
  const of = (kind: string): Json[] => documents.filter((each) => each['kind'] === kind)
  const workloads = [...of('Deployment'), ...of('Job')]
  const labelsOf = (workload: Json): Json => record(at(workload, 'spec.template.metadata.labels'))
  const matches = (selector: unknown, labels: Json): boolean =>
    Object.entries(record(selector)).every(([key, value]) => labels[key] === value)

  test('every role is a deployment, and the schema is migrated by a job before', () => {
    const roles = of('Deployment').map((each) => list(at(each, 'spec.template.spec.containers'))[0]?.['args'])
    const wanted = name === 'default' ? ['api', 'poller'] : ['api', 'poller', 'ingest']
    expect(roles.map((args) => (Array.isArray(args) ? args.slice(0, 3) : args))).toEqual(
      wanted.map((role) => ['serve', '--role', role]),
    )
    const [job] = of('Job')
    expect(list(at(job, 'spec.template.spec.containers'))[0]?.['args']).toEqual(['migrate'])
    expect(record(at(job, 'metadata.annotations'))['helm.sh/hook']).toBe('pre-install,pre-upgrade')
  })

  test('no container has rights, or can write to its image', () => {
    const dockerfile = readFileSync(join(projectDir, 'Dockerfile'), 'utf8')
    const user = Number(/^USER (\d+):\1$/m.exec(dockerfile)?.[1])
    const dataDir = /PORTLIGHT_DATA_DIR=(\S+)/.exec(dockerfile)?.[1]
    expect(workloads.length).toBeGreaterThan(2)
    for (const workload of workloads) {
      const pod = at(workload, 'spec.template.spec')
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: 'RuntimeDefault' } },
      })
      for (const container of list(record(pod)['containers'])) {
        expect(container['securityContext']).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        const mounts = list(container['volumeMounts'])
        expect(mounts.map((mount) => mount['mountPath']).slice(0, 2)).toEqual(['/tmp', dataDir ?? ''])
        const volumes = list(record(pod)['volumes']).map((volume) => volume['name'])
        for (const mount of mounts) expect(volumes).toContain(mount['name'])
        expect(at(container, 'resources.limits.memory')).toBeString()
        const database = list(container['env']).find((each) => each['name'] === 'DATABASE_URL')
        expect(at(database, 'valueFrom.secretKeyRef.name')).toBe('database-url')
      }
    }
  })

  test('probes ask what the program answers, at the port it listens on', () => {
    const probes = readFileSync(join(projectDir, 'src/api/probes.ts'), 'utf8')
    const port = Number(/^EXPOSE (\d+)$/m.exec(readFileSync(join(projectDir, 'Dockerfile'), 'utf8'))?.[1])
    for (const deployment of of('Deployment')) {
      const [container] = list(at(deployment, 'spec.template.spec.containers'))
      expect(container?.['ports']).toEqual([{ name: 'http', containerPort: port }])
      for (const [probe, path] of [
        ['startupProbe', '/healthz'],
        ['livenessProbe', '/healthz'],
        ['readinessProbe', '/readyz'],
      ] as const) {
        expect(at(container, `${probe}.httpGet`)).toEqual({ path, port: 'http' })
        expect(probes).toContain(`'${path}':`)
      }
    }
  })

  test('selectors find their pods, and only those', () => {
    for (const deployment of of('Deployment')) {
      const selector = at(deployment, 'spec.selector.matchLabels')
      const found = workloads.filter((other) => matches(selector, labelsOf(other)))
      expect(found).toEqual([deployment])
    }
    const [service] = of('Service')
    const served = workloads.filter((other) => matches(at(service, 'spec.selector'), labelsOf(other)))
    expect(served.map((each) => at(each, 'metadata.name'))).toEqual(['demo-portlight-api'])
    expect(at(service, 'spec.ports')).toMatchObject([{ targetPort: 'http' }])
    const budgets = of('PodDisruptionBudget')
    const many = of('Deployment').filter((each) => Number(at(each, 'spec.replicas')) > 1)
    expect(budgets.map((each) => at(each, 'metadata.name'))).toEqual(many.map((each) => at(each, 'metadata.name')))
    const [policy] = of('NetworkPolicy')
    for (const workload of workloads)
      expect(matches(at(policy, 'spec.podSelector.matchLabels'), labelsOf(workload))).toBe(true)
    const accounts = of('ServiceAccount').map((each) => at(each, 'metadata.name'))
    for (const deployment of of('Deployment'))
      expect(accounts).toContain(at(deployment, 'spec.template.spec.serviceAccountName'))
  })
})

test('what devices send reaches the pods that listen, with the addresses of senders', () => {
  const documents = list(Bun.YAML.parse(readFileSync(join(rendered, 'everything.yaml'), 'utf8')))
  const called = (kind: string, name: string): Json =>
    record(documents.find((each) => each['kind'] === kind && at(each, 'metadata.name') === `demo-portlight-${name}`))
  const pods = called('Deployment', 'ingest')
  const args = list(at(pods, 'spec.template.spec.containers'))[0]?.['args']
  const listens = (Array.isArray(args) ? args : []).flatMap((arg) => {
    const [, protocol, port] = /^--set=\w+\.(udp|tcp)=0\.0\.0\.0:(\d+)$/.exec(String(arg)) ?? []
    return protocol === undefined ? [] : [{ port: Number(port), protocol: protocol.toUpperCase() }]
  })
  expect(listens.length).toBe(3)
  const policy = called('NetworkPolicy', 'ingest')
  expect(list(at(policy, 'spec.ingress'))[0]?.['ports']).toEqual(listens)
  const service = called('Service', 'ingest')
  expect(service['spec']).toMatchObject({ externalTrafficPolicy: 'Local' })
  const served = list(at(service, 'spec.ports')).map((one) => ({ port: one['targetPort'], protocol: one['protocol'] }))
  expect(served).toEqual(listens.filter(({ protocol }) => protocol === 'UDP'))
  for (const selector of [at(policy, 'spec.podSelector.matchLabels'), at(service, 'spec.selector')])
    expect(selector).toEqual(at(pods, 'spec.selector.matchLabels'))
})

test('the chart is of this version, and its values fit their schema', () => {
  expect(yaml(join(chart, 'Chart.yaml'))).toMatchObject({ appVersion: manifest.version })
  const ajv = new Ajv({ strict: true, allowUnionTypes: true })
  const valid = ajv.compile(JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')))
  expect([valid(yaml(join(chart, 'values.yaml'))), valid.errors]).toEqual([true, null])
  const values = record(yaml(join(chart, 'values.yaml')))
  for (const wrong of [{ databse: {} }, { settings: { LOG_LEVEL: 'x' } }, { api: { enabled: true, replicas: -1 } }])
    expect(valid({ ...values, ...wrong })).toBe(false)
  // every value that a template reads is one of them
  const templates = readdirSync(join(chart, 'templates')).map((file) =>
    readFileSync(join(chart, 'templates', file), 'utf8'),
  )
  const read = new Set([...templates.join('\n').matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path ?? ''))
  expect(read.size).toBeGreaterThan(15)
  expect([...read].filter((path) => at(values, path) === undefined)).toEqual([])
})

const checker = process.env['DEPLOY_CHECK'] ?? null
if (checker === null)
  console.warn('SKIPPED: DEPLOY_CHECK is not set: manifests and Dockerfile are not read by the libraries of others')

test.skipIf(checker === null)('Kubernetes, BuildKit and Compose read the files', () => {
  const run = (...args: readonly string[]) => Bun.spawnSync([checker ?? '', ...args])
  for (const args of [
    ['dockerfile', join(projectDir, 'Dockerfile')],
    ['k8s', ...Object.keys(CASES).map((name) => join(rendered, `${name}.yaml`))],
    ...[[], ['timescale'], ['timescale', 'grafana']].map((profiles) => [
      'compose',
      join(projectDir, 'deploy/compose.yaml'),
      ...profiles,
    ]),
  ]) {
    const { exitCode, stdout } = run(...args)
    expect([exitCode, exitCode === 0 ? '' : stdout.toString()]).toEqual([0, ''])
  }
})
