import { describe, expect, test } from 'bun:test'
import { ConfigError } from '../../src/config/errors.ts'
import { environmentName, nearestSetting, SETTING_NAMES } from '../../src/config/names.ts'
import { SETTINGS } from '../../src/config/schema.ts'
import { withoutSecrets } from '../../src/config/secrets.ts'
import { createSettings, type SettingSources } from '../../src/config/settings.ts'

const file = (values: Record<string, unknown>) => ({ path: '/etc/portlight.toml', values })

function problemsOf(sources: SettingSources): string[] {
  try {
    createSettings(sources)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n')
  }
}

describe('order of sources', () => {
  const all = {
    flags: { 'poller.interval': '10' },
    env: { PORTLIGHT_POLLER_INTERVAL: '20' },
    file: file({ poller: { interval: 30 } }),
  }
  const stored = new Map([['poller.interval', 40]])

  test.each([
    { want: 10, origin: 'flag', sources: all },
    { want: 20, origin: 'environment', sources: { ...all, flags: {} } },
    { want: 30, origin: 'file', sources: { file: all.file } },
    { want: 40, origin: 'stored', sources: {} },
  ])('$origin', ({ want, origin, sources }) => {
    const settings = createSettings(sources)
    settings.applyStored(stored)
    expect(settings.get('poller.interval')).toBe(want)
    expect<string>(settings.origin('poller.interval')).toBe(origin)
  })

  test('a setting that is given nowhere has its default', () => {
    const settings = createSettings({})
    expect(settings.get('poller.interval')).toBe(300)
    expect(settings.origin('poller.interval')).toBe('default')
  })

  test('PORTLIGHT_DATABASE_URL wins over DATABASE_URL', () => {
    const env = { DATABASE_URL: 'postgres://a/one', PORTLIGHT_DATABASE_URL: 'postgres://a/two' }
    expect(createSettings({ env }).get('database_url')).toBe('postgres://a/two')
    expect(createSettings({ env: { DATABASE_URL: env.DATABASE_URL } }).get('database_url')).toBe('postgres://a/one')
  })

  test("Kubernetes' variable of a service called portlight is not our port", () => {
    expect(createSettings({ env: { PORTLIGHT_PORT: 'tcp://10.96.12.7:8000' } }).get('port')).toBe(8000)
    expect(() => createSettings({ env: { PORTLIGHT_PORT: 'eight' } })).toThrow(ConfigError)
  })

  test('an empty environment variable counts as absent', () => {
    expect(createSettings({ env: { PORTLIGHT_PORT: '' } }).origin('port')).toBe('default')
  })
})

describe('values', () => {
  test.each([
    { name: 'port', raw: '8080', want: 8080 },
    { name: 'snmp.timeout', raw: '0.5', want: 0.5 },
    { name: 'icmp_check', raw: 'off', want: false },
    { name: 'icmp_check', raw: 'TRUE', want: true },
    { name: 'log.level', raw: 'Debug', want: 'debug' },
    { name: 'snmp.community', raw: 'public, private', want: ['public', 'private'] },
    { name: 'snmp.community', raw: '["with,comma"]', want: ['with,comma'] },
    { name: 'snmp.v3', raw: '[{"authname":"x"}]', want: [{ authname: 'x' }] },
    { name: 'bad_if', raw: '', want: [] },
  ])('$name accepts $raw', ({ name, raw, want }) => {
    const settings = createSettings({ flags: { [name]: raw } })
    const found = SETTING_NAMES.find((known) => known === name)
    expect<unknown>(found === undefined ? undefined : settings.get(found)).toEqual(want)
  })

  test.each([
    { name: 'port', raw: '65536', allowed: 'an integer from 0 to 65535' },
    { name: 'port', raw: '80x', allowed: 'an integer from 0 to 65535' },
    { name: 'port', raw: '', allowed: 'an integer from 0 to 65535' },
    { name: 'poller.interval', raw: '4', allowed: 'an integer from 5 to 86400' },
    { name: 'poller.interval', raw: '5.5', allowed: 'an integer from 5 to 86400' },
    { name: 'icmp_check', raw: 'maybe', allowed: 'true or false' },
    { name: 'log.level', raw: 'loud', allowed: 'one of trace, debug, info, warn, error, silent' },
    { name: 'snmp.version', raw: 'v4', allowed: 'one or more of v1, v2c, v3' },
    { name: 'snmp.version', raw: '', allowed: 'one or more of v1, v2c, v3' },
    { name: 'bad_if_regexp', raw: '(', allowed: 'regular expressions in RE2 syntax' },
    { name: 'database_url', raw: 'mysql://x/y', allowed: 'a URL: postgres://USER:PASSWORD@HOST:PORT/DATABASE' },
    { name: 'database_listen', raw: '127.0.0.1', allowed: 'HOST:PORT, for example 127.0.0.1:5432' },
    { name: 'graphing.availability', raw: '{"a"', allowed: 'JSON' },
    { name: 'api.trusted_proxies', raw: '10.0.0.0/33', allowed: 'IP addresses or networks' },
  ])('$name refuses $raw', ({ name, raw, allowed }) => {
    expect(problemsOf({ flags: { [name]: raw } })).toEqual([`command line: ${name}: expected ${allowed}`])
  })

  test('every default is a valid value', () => {
    const flags = Object.fromEntries(
      SETTING_NAMES.map((name) => {
        const value = SETTINGS[name].default
        return [name, typeof value === 'string' ? value : JSON.stringify(value)]
      }),
    )
    expect(problemsOf({ flags })).toEqual([])
  })
})

describe('names', () => {
  test('a typing error names the source and the nearest setting', () => {
    expect(problemsOf({ file: file({ poller: { intervall: 5 } }) })).toEqual([
      '/etc/portlight.toml: poller.intervall: there is no such setting; did you mean poller.interval?',
    ])
  })

  test('all problems of all sources are reported at once', () => {
    const problems = problemsOf({ flags: { port: 'x' }, env: { PORTLIGHT_LISTEN: 'a b' }, file: file({ nonsense: 1 }) })
    expect(problems).toHaveLength(3)
    expect(problems.join()).toContain('PORTLIGHT_LISTEN')
  })

  test('an unknown environment variable gives a warning and no error', () => {
    const { warnings } = createSettings({ env: { PORTLIGHT_POLER_INTERVAL: '5', HOME: '/' } })
    expect(warnings.map((w) => w.message)).toEqual([
      'is not a setting and is ignored; did you mean PORTLIGHT_POLLER_INTERVAL?',
    ])
  })

  test('LibreNMS names are accepted, regardless of case', () => {
    const settings = createSettings({ flags: { service_poller_frequency: '60', ALLOW_DUPLICATE_SYSNAME: 'on' } })
    expect(settings.get('poller.interval')).toBe(60)
    expect(settings.get('allow_duplicate_sysName')).toBe(true)
  })

  test('LibreNMS names can be used in the environment too; our own names win', () => {
    const variables = { PORTLIGHT_SERVICE_POLLER_FREQUENCY: '60', PORTLIGHT_DISTRIBUTED_POLLER_NAME: 'theirs' }
    const settings = createSettings({ env: { ...variables, PORTLIGHT_POLLER_NAME: 'ours' } })
    expect(settings.warnings).toEqual([])
    expect(settings.get('poller.interval')).toBe(60)
    expect(settings.get('poller.name')).toBe('ours')
  })

  test('settings that LibreNMS documents are read under its names', () => {
    const given = {
      'snmp.community': 'a,b',
      'snmp.version': 'v3',
      'snmp.max_repeaters': '20',
      'rrd.step': '60',
      'api.v1.enabled': 'true',
      'api.cors.allowheaders': 'X-Auth-Token',
      'alert.scheduled_maintenance_default_behavior': '2',
      'graphing.availability_consider_maintenance': '1',
      'oxidized.default_group': 'lab',
      'oxidized.maps': '{"group":{"os":[{"match":"ios","value":"cisco"}]}}',
      'fping_options.count': '5',
      good_if: 'Vlan1',
      bad_ifname_regexp: '^lo',
    }
    expect(problemsOf({ flags: given })).toEqual([])
  })

  test('maps of the backup list are checked', () => {
    const maps = '{"group":{"os":[{"regex":"/[/","value":"x"}]}}'
    expect(problemsOf({ flags: { 'oxidized.maps': maps } })).toEqual([
      expect.stringContaining('expected a JSON object'),
    ])
    expect(problemsOf({ flags: { 'oxidized.url': 'file:///etc/passwd' } })).toHaveLength(1)
  })

  test('nothing is suggested for a name that is not similar to any other', () => {
    expect(nearestSetting('zzzzzzzz')).toBeNull()
  })

  test('no two settings share an environment variable', () => {
    expect(new Set(SETTING_NAMES.map(environmentName)).size).toBe(SETTING_NAMES.length)
  })
})

describe('stored settings', () => {
  test('listeners are called when a live value changes, not when it is equal', () => {
    const settings = createSettings({})
    let calls = 0
    const stop = settings.onChange(() => calls++)
    settings.applyStored(new Map([['poller.interval', 60]]))
    settings.applyStored(new Map([['poller.interval', 60]]))
    expect(calls).toBe(1)
    stop()
    settings.applyStored(new Map())
    expect(calls).toBe(1)
    expect(settings.get('poller.interval')).toBe(300)
  })

  test('an invalid stored value is reported, and the default is kept', () => {
    const settings = createSettings({})
    const { problems } = settings.applyStored(new Map<string, unknown>([['poller.interval', 'often']]))
    expect(problems.map((p) => p.name)).toEqual(['poller.interval'])
    expect(settings.get('poller.interval')).toBe(300)
  })

  test('a stored value of a start setting needs a restart', () => {
    expect(createSettings({}).applyStored(new Map([['poller.workers', 3]])).needRestart).toEqual(['poller.workers'])
  })

  test('the URL of the database cannot be stored in the database', () => {
    const settings = createSettings({})
    const { problems } = settings.applyStored(new Map([['database_url', 'postgres://elsewhere/x']]))
    expect(settings.get('database_url')).toBe('')
    expect(problems).toHaveLength(1)
  })
})

test.each([
  { name: 'snmp.community', value: ['geheim'] },
  { name: 'snmp.v3', value: [{ authpass: 'geheim' }] },
  { name: 'database_url', value: 'postgres://u:geheim@h/d' },
] as const)('$name is shown without its secret', ({ name, value }) => {
  expect(JSON.stringify(withoutSecrets(name, value))).not.toContain('geheim')
})
