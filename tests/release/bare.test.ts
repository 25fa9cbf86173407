import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../cli/support.ts'
import { asRoot, install, program } from './support.ts'

// The program on a system that has nothing but a shell and the libraries of C and C++, and that it cannot write to: what the
// image is, where no container can be run.

setDefaultTimeout(120_000)

const LOADER = '/lib64/ld-linux-x86-64.so.2'
const LIBRARIES = [
  'libc.so.6',
  'libm.so.6',
  'libdl.so.2',
  'libpthread.so.0',
  'librt.so.1',
  'libstdc++.so.6',
  'libgcc_s.so.1',
]
const script = join(import.meta.dir, 'bare-system.sh')
const canRun = program !== null && asRoot && existsSync(LOADER) && unshares()
if (!canRun)
  console.warn('SKIPPED: not root on x64, no mount namespaces, or no build: the program is not run on a bare system')

function unshares(): boolean {
  return (
    Bun.which('unshare') !== null && Bun.spawnSync(['unshare', '-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).success
  )
}

const work = temporaryFolder()
afterAll(work.remove)

/** The root folder of a bare system. */
function system(): string {
  const root = join(work.path, 'root')
  for (const folder of ['proc', 'dev/shm', 'tmp', 'var/lib/portlight', 'etc', 'bin'])
    mkdirSync(join(root, folder), { recursive: true })
  const known = Bun.spawnSync(['/sbin/ldconfig', '-p']).stdout.toString()
  const found = LIBRARIES.map((name) =>
    known.split('\n').find((line) => line.trim().startsWith(`${name} (libc6,x86-64`)),
  )
  for (const path of [LOADER, '/bin/sh', ...found.map((line) => line?.split(' => ')[1] ?? '')]) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    copyFileSync(realpathSync(path), join(root, path))
  }
  writeFileSync(join(root, 'etc/passwd'), 'portlight:x:10001:10001::/var/lib/portlight:/bin/sh\n')
  install(join(root, 'bin'))
  return root
}

test.skipIf(!canRun)(
  'it serves and draws on a bare system that it cannot write to, and names a missing library',
  async () => {
    const root = system()
    const run = ['unshare', '-m', '--propagation', 'private', 'sh', script, root, '/bin/portlight']
    const child = Bun.spawn([...run, 'serve', '--demo', '--port', '0'], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const log = child.stderr.text()
    const decoder = new TextDecoder()
    let greeting = ''
    let url: string | undefined
    for await (const part of child.stdout) {
      greeting += decoder.decode(part, { stream: true })
      url = /A graph: +(\S+)\n/.exec(greeting)?.[1]
      if (url !== undefined) break
    }
    expect([url === undefined ? `${greeting}${await log}` : '']).toEqual([''])
    const answer = await fetch(url ?? '')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
    for (const library of new Bun.Glob('**/libstdc++.so.6').scanSync(root)) rmSync(join(root, library))
    const without = Bun.spawnSync([...run, 'migrate', '--create'])
    expect(without.exitCode).toBe(1)
    expect(without.stderr.toString()).toMatch(/^portlight: the database in .* cannot be created: .*libstdc\+\+\.so\.6/)
  },
)
