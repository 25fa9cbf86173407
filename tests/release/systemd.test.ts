import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeSteps, installSteps, unitText } from '../../src/cli/systemd/plan.ts'
import { portlight as fromSource, makeDatabase, projectDir, temporaryFolder } from '../cli/support.ts'
import { asRoot, install, program, run } from './support.ts'

setDefaultTimeout(60_000)

const work = temporaryFolder()
afterAll(work.remove)
const portlight = program === null ? '' : install(work.path)
const hasTools = Bun.which('systemctl') !== null && Bun.which('systemd-sysusers') !== null
if (!hasTools || !asRoot)
  console.warn('SKIPPED: not root, or systemd is not installed: the service is not installed into a folder')

/** A folder with the beginnings of a system. */
function system(name: string): string {
  const root = join(work.path, name)
  mkdirSync(join(root, 'etc'), { recursive: true })
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nmonitor:x:999:999::/:/bin/sh\n')
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nmonitor:x:999:\n')
  return root
}

describe.skipIf(program === null || !hasTools || !asRoot)('systemd, in the folder of another system', () => {
  test('install writes program, unit, user and settings; again it keeps the settings; uninstall keeps them too', async () => {
    const root = system('a')
    const first = await run(portlight, ['systemd', 'install', '--root', root])
    expect({ code: first.code, err: first.code === 0 ? '' : first.err }).toEqual({ code: 0, err: '' })
    expect(readFileSync(join(root, 'etc/passwd'), 'utf8')).toMatch(/^portlight:x:\d+:\d+:.*:\/var\/lib\/portlight:/m)
    expect(statSync(join(root, 'opt/portlight/portlight')).size).toBe(statSync(portlight).size)
    expect(readlinkSync(join(root, 'usr/local/bin/portlight'))).toBe('/opt/portlight/portlight')
    expect(existsSync(join(root, 'etc/systemd/system/multi-user.target.wants/portlight.service'))).toBe(false)
    const link = readlinkSync(join(root, 'etc/systemd/system/multi-user.target.wants/portlight.service'))
    expect(link).toBe('/etc/systemd/system/portlight.service')
    expect(statSync(join(root, 'etc/portlight/environment')).mode & 0o777).toBe(0o600)
    expect(await run(portlight, ['systemd', 'status', '--root', root])).toMatchObject({ code: 0 })

    writeFileSync(join(root, 'etc/portlight/environment'), 'PORTLIGHT_PORT=9000\n')
    writeFileSync(join(root, 'etc/systemd/system/portlight.service'), '[Service]\nUser=portlight\n')
    const differs = await run(portlight, ['systemd', 'status', '--root', root])
    expect([differs.code, differs.out.includes('is not what this version writes')]).toEqual([1, true])
    expect(await run(portlight, ['systemd', 'install', '--root', root])).toMatchObject({ code: 0 })
    expect(readFileSync(join(root, 'etc/portlight/environment'), 'utf8')).toBe('PORTLIGHT_PORT=9000\n')
    expect(await run(portlight, ['systemd', 'status', '--root', root])).toMatchObject({ code: 0 })

    expect(await run(portlight, ['systemd', 'uninstall', '--root', root])).toMatchObject({ code: 0 })
    const left = ['opt/portlight/portlight', 'etc/systemd/system/portlight.service', 'etc/sysusers.d/portlight.conf']
    expect(left.filter((path) => existsSync(join(root, path)))).toEqual([])
    expect(existsSync(join(root, 'etc/portlight/environment'))).toBe(true)
    expect(await run(portlight, ['systemd', 'uninstall', '--root', root])).toMatchObject({
      code: 1,
      err: 'portlight: the service is not installed: there is no /etc/systemd/system/portlight.service\n',
    })
  })

  test('another user has to exist, and is not made', async () => {
    const root = system('b')
    expect(await run(portlight, ['systemd', 'install', '--root', root, '--user', 'nosuch'])).toMatchObject({
      code: 1,
      err: 'portlight: there is no user nosuch in /etc/passwd\n',
    })
    expect(existsSync(join(root, 'opt'))).toBe(false)
    expect(await run(portlight, ['systemd', 'install', '--root', root, '--user', 'monitor'])).toMatchObject({ code: 0 })
    expect(readFileSync(join(root, 'etc/systemd/system/portlight.service'), 'utf8')).toMatch(
      /^User=monitor\nGroup=monitor$/m,
    )
    expect(existsSync(join(root, 'etc/sysusers.d'))).toBe(false)
  })
})

test('what --print shows has every step, and from source it is refused as the installation is', async () => {
  expect(await fromSource(['systemd', 'install', '--print', '--user', 'monitor'])).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('only the compiled program can be installed'),
  })
  const out = describeSteps(installSteps({ user: 'monitor', start: true, root: null }), '/opt/portlight/portlight')
  expect(out).toContain('User=monitor')
  for (const step of installSteps({ user: 'monitor', start: true, root: null }))
    expect(out).toContain(step.kind === 'run' ? `# run ${step.command.join(' ')}` : step.path)
})

test.each([['a b'], ['x; rm'], ['User=root'], ['']])('%j is no user', async (user) => {
  expect(await fromSource(['systemd', 'install', '--print', '--user', user])).toMatchObject({ code: 2 })
})

test.skipIf(existsSync('/run/systemd/system'))('where systemd does not run, a sentence says so', async () => {
  for (const command of ['install', 'uninstall']) {
    const { code, err } = await fromSource(['systemd', command])
    expect([code, err.split('\n').length]).toEqual([1, 2])
    expect(err).toStartWith('portlight: this machine was not booted with systemd')
  }
})

const analyze = Bun.which('systemd-analyze')
if (analyze === null) console.warn('SKIPPED: systemd-analyze is not installed: the unit is not verified')

test.skipIf(analyze === null)('systemd accepts the unit', () => {
  // As it is, but for the program, which has to exist.
  const unit = join(work.path, 'portlight.service')
  writeFileSync(unit, unitText('root').replace('/opt/portlight/portlight', '/bin/true'))
  const verified = Bun.spawnSync([analyze ?? '', 'verify', '--man=no', '--recursive-errors=no', unit])
  expect([verified.exitCode, verified.stderr.toString()]).toEqual([0, ''])
  writeFileSync(
    unit,
    `${unitText('root').replace('/opt/portlight/portlight', '/bin/true')}\n[Service]\nNoSuchThing=1\n`,
  )
  expect(Bun.spawnSync([analyze ?? '', 'verify', '--man=no', unit]).stderr.toString()).toContain('NoSuchThing')
})

test('the unit in the repository is the one that is installed', () => {
  expect(unitText('portlight')).toBe(readFileSync(join(projectDir, 'deploy/portlight.service'), 'utf8'))
})

/** The lines of one key of a unit, as systemd reads them: `$$` is `$`, `%%` is `%`. */
const valuesOf = (text: string, key: string): string[] =>
  [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) =>
    value.replace(/\$\$|%%/g, (two) => two.charAt(0)),
  )

/** The environment of a unit's processes: the file overrides the lines of the unit (systemd.exec(5)). */
function environmentOf(unit: string, files: Record<string, string>): Record<string, string> {
  const own = valuesOf(unit, 'Environment')
  const named = valuesOf(unit, 'EnvironmentFile').flatMap((path) => (files[path.replace(/^-/, '')] ?? '').split('\n'))
  return Object.fromEntries(
    [...own, ...named].filter((line) => line !== '').map((line) => line.split(/=(.*)/s).slice(0, 2)),
  )
}

test('the nightly backup is of the database that the service uses', async () => {
  const folder = join(work.path, 'nightly')
  const [dataDir, backups] = [join(folder, 'own-data'), join(folder, 'backups')]
  const files = { '/etc/portlight/environment': `PORTLIGHT_DATA_DIR=${dataDir}\n` }
  const [service, backup] = ['portlight.service', 'portlight-backup.service'].map((name) =>
    readFileSync(join(projectDir, 'deploy', name), 'utf8'),
  ) as [string, string]
  const { BACKUPS, ...env } = environmentOf(backup, files)
  expect(env).toEqual(environmentOf(service, files))
  expect(BACKUPS).toBe('/var/backups/portlight')

  await makeDatabase(dataDir)
  const nightly = async () => {
    const runs = ['ExecStart', 'ExecStartPost'].map((key) => valuesOf(backup, key)[0] ?? '')
    for (const command of runs) {
      const [, script = ''] = /^\/bin\/sh -ec '(.*)'$/.exec(command) ?? []
      const child = Bun.spawnSync(
        ['/bin/sh', '-ec', script.replaceAll('/opt/portlight/portlight', join(projectDir, 'portlight'))],
        { env: { PATH: process.env['PATH'] ?? '', ...env, BACKUPS: backups } },
      )
      if (!child.success) return child.stderr.toString()
    }
    return 'done'
  }
  // a database that no server has used
  expect(await nightly()).toContain('is empty')
  expect(readdirSync(backups)).toEqual([])
  expect((await fromSource(['user', 'add', 'alice', '--no-password', '--data-dir', dataDir])).code).toBe(0)
  expect(await nightly()).toBe('done')
  const [file = ''] = readdirSync(backups)
  expect(file).toMatch(/^\d{4}-\d\d-\d\dT\d{6}\.tar$/)
  expect(statSync(join(backups, file)).mode & 0o77).toBe(0)
  // settings that name no database
  env['PORTLIGHT_DATA_DIR'] = join(folder, 'typo')
  expect(await nightly()).toContain('there is no database in')
  expect(readdirSync(backups)).toEqual([file])
}, 180_000)
