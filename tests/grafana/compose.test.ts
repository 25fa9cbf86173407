import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Ajv from 'ajv'
import { loadSettings } from '../../src/config/load.ts'
import { SETTINGS } from '../../src/config/schema.ts'
import { provisioningFiles } from '../../src/grafana/provisioning.ts'

const file = join(import.meta.dir, '../../deploy/compose.yaml')
const text = readFileSync(file, 'utf8')

interface Service {
  readonly image: string
  readonly build?: { readonly context: string }
  readonly volumes?: readonly string[]
  readonly networks: readonly string[]
  readonly secrets?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required?: boolean }>>
  readonly profiles?: readonly string[]
  readonly healthcheck?: unknown
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
  readonly ports?: readonly string[]
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly networks: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

const compose = Bun.YAML.parse(text) as Compose
const services = Object.entries(compose.services).map(([name, service]) => ({ name, service }))

const strings = { type: 'array', items: { type: 'string' }, minItems: 1 }
const duration = { type: 'string', pattern: '^\\d+s$' }
/** The members in use, with their types in the Compose specification; any other member is a typing error. */
const SCHEMA = {
  type: 'object',
  required: ['name', 'services'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' },
    services: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['image', 'restart', 'networks'],
        additionalProperties: false,
        properties: {
          image: { type: 'string' },
          build: {
            type: 'object',
            required: ['context'],
            additionalProperties: false,
            properties: { context: { type: 'string' } },
          },
          restart: { enum: ['no', 'unless-stopped'] },
          user: { type: 'string' },
          hostname: { type: 'string' },
          logging: {
            type: 'object',
            required: ['driver', 'options'],
            additionalProperties: false,
            properties: {
              driver: { enum: ['json-file'] },
              options: { type: 'object', additionalProperties: { type: 'string' } },
            },
          },
          entrypoint: strings,
          command: strings,
          environment: { type: 'object', additionalProperties: { type: 'string' } },
          secrets: strings,
          volumes: strings,
          networks: strings,
          ports: { ...strings, items: { type: 'string', pattern: '^127\\.0\\.0\\.1:\\d+:\\d+$' } },
          sysctls: { type: 'object', additionalProperties: { type: 'string' } },
          shm_size: { type: 'string', pattern: '^\\d+m$' },
          stop_grace_period: duration,
          profiles: { ...strings, items: { enum: ['timescale', 'grafana'] } },
          read_only: { type: 'boolean' },
          tmpfs: strings,
          cap_drop: strings,
          security_opt: strings,
          depends_on: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              required: ['condition'],
              additionalProperties: false,
              properties: {
                condition: { enum: ['service_healthy', 'service_completed_successfully'] },
                required: { type: 'boolean' },
              },
            },
          },
          healthcheck: {
            type: 'object',
            required: ['test', 'interval', 'timeout', 'retries', 'start_period'],
            additionalProperties: false,
            properties: {
              test: {
                type: 'array',
                prefixItems: [{ enum: ['CMD', 'CMD-SHELL'] }],
                items: { type: 'string' },
                minItems: 2,
              },
              interval: duration,
              timeout: duration,
              retries: { type: 'integer', minimum: 1 },
              start_period: duration,
            },
          },
        },
      },
    },
    networks: { type: 'object' },
    volumes: { type: 'object' },
    secrets: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['file'],
        additionalProperties: false,
        properties: { file: { type: 'string' } },
      },
    },
  },
}

test('compose.yaml has only members of the specification, with the right types', () => {
  const ajv = new Ajv({ strict: false })
  const valid = ajv.validate(SCHEMA, compose)
  expect([valid, ajv.errors]).toEqual([true, null])
})

test.each(services)('service $name refers to what is declared', ({ name, service }) => {
  for (const network of service.networks) expect(Object.keys(compose.networks)).toContain(network)
  for (const secret of service.secrets ?? []) expect(Object.keys(compose.secrets)).toContain(secret)
  for (const used of text.matchAll(/\/run\/secrets\/(\w+)/g))
    expect(Object.keys(compose.secrets)).toContain(used[1] ?? '')
  for (const volume of service.volumes ?? []) {
    const [source = ''] = volume.split(':')
    if (source.startsWith('.')) expect(existsSync(join(dirname(file), source))).toBe(true)
    else expect(Object.keys(compose.volumes)).toContain(source)
  }
  if (service.build !== undefined)
    expect(existsSync(join(dirname(file), service.build.context, 'Dockerfile'))).toBe(true)
  for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
    const needed = compose.services[other]
    expect(needed).toBeDefined()
    if (condition === 'service_healthy') expect(needed?.healthcheck).toBeDefined()
  }
  // Services that keep running have a health check; images have a fixed version unless they are built here.
  if (name !== 'credentials') expect(service.healthcheck).toBeDefined()
  if (service.image !== 'portlight') expect(service.image).toMatch(/:\d+\.\d+\.\d+/)
})

test('without profiles only the program runs, with its own PostgreSQL', () => {
  const always = services.filter(({ service }) => service.profiles === undefined)
  expect(always.map(({ name }) => name)).toEqual(['portlight'])
  // a service without a profile must not depend on one that needs a profile
  for (const { service } of always)
    for (const [other, { required }] of Object.entries(service.depends_on ?? {}))
      expect([other, required]).toEqual([other, compose.services[other]?.profiles === undefined])
  const { entrypoint = [], command = [], environment } = compose.services['portlight'] ?? {}
  const [shell = '', option = '', script = '', name = ''] = entrypoint
  // commands that are started later read the same file, in a folder that is in memory
  expect(environment?.['PORTLIGHT_CONFIG']).toMatch(/^\/tmp\//)
  const folder = mkdtempSync(join(tmpdir(), 'portlight-compose-'))
  const config = join(folder, 'portlight.toml')
  const used = ['', 'word'].map((password) => {
    writeFileSync(join(folder, 'database'), password)
    const there = script.replaceAll('$$', '$').replaceAll('/run/secrets', folder)
    // echo instead of the program
    const ran = Bun.spawnSync([shell, option, there.replace('exec portlight', 'echo'), name, ...command], {
      env: { PATH: '/usr/bin:/bin', PORTLIGHT_CONFIG: config },
    })
    expect(ran.stdout.toString()).toBe('serve\n')
    expect(statSync(config).mode & 0o777).toBe(0o600)
    return loadSettings({ env: {}, config, folders: [] }).get('database_url')
  })
  rmSync(folder, { recursive: true })
  expect(used).toEqual(['', 'postgres://portlight:word@database:5432/portlight'])
})

test('the file contains no password, and its scripts are valid shell', () => {
  expect(text).not.toMatch(/PASSWORD: /)
  const scripts = services.flatMap(({ service: { entrypoint = [], command = [] } }) => {
    const [shell, , script] = entrypoint
    return shell === 'sh' ? (script === undefined ? command : [script]) : []
  })
  expect(scripts.length).toBeGreaterThan(2)
  for (const script of scripts) {
    const shell = Bun.spawnSync(['sh', '-nc', script.replaceAll('$$', '$')])
    expect([shell.exitCode, shell.stderr.toString()]).toEqual([0, ''])
    expect(script.replaceAll('$$', '')).not.toContain('$')
  }
})

test('Grafana gets all variables that the data source reads', () => {
  const source = provisioningFiles('').get('datasources/portlight.yaml') ?? ''
  const grafana = compose.services['grafana']
  const given = [...Object.keys(grafana?.environment ?? {}), ...(grafana?.command ?? [])].join('\n')
  for (const [, name] of source.matchAll(/\$(\w+)/g)) expect(given).toContain(name ?? '')
  expect(SETTINGS.port.default).toBe(8000)
})

test('the password is extracted from the URL that credentials prints', () => {
  const script = compose.services['credentials']?.command?.[0] ?? ''
  const expression = /sed '([^']+)'/.exec(script)?.[1] ?? ''
  const url = 'postgres://portlight_grafana:aB3_-x@database:5432/portlight\n'
  const ran = Bun.spawnSync(['sed', expression], { stdin: Buffer.from(url) })
  expect(ran.stdout.toString()).toBe('aB3_-x\n')
})

const hasCompose = Bun.which('docker') !== null && Bun.spawnSync(['docker', 'compose', 'version']).exitCode === 0
if (!hasCompose) console.warn('docker compose is missing: compose.yaml is checked against our own schema only')
test.skipIf(!hasCompose)('docker compose accepts the file', () => {
  const checked = Bun.spawnSync(['docker', 'compose', '-f', file, 'config', '--quiet'])
  expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, ''])
})
