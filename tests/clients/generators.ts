import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { output, pythonEnvironment } from './programs.ts'

const HERE = join(import.meta.dir, 'generated')
const MODULES = join(HERE, 'node_modules')
const TYPESCRIPT = existsSync(join(MODULES, '@hey-api', 'openapi-ts'))
if (!TYPESCRIPT) {
  console.warn(
    'SKIPPED: tests/clients/generated is not installed: no TypeScript client is generated (bun install there)',
  )
}

/** Time limit for generating or checking a client on a busy machine. */
const GENERATE_MS = 240_000
/** Time limit for calling every read. */
const CALLS_MS = 600_000

/** One operation to call, with the parameters of its path and query as text. */
export interface Call {
  readonly operation: string
  readonly tag: string
  readonly token: string
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
}

/** A running program that calls operations, one after the other. */
export interface Caller {
  /** What went wrong; null if nothing did. */
  call(call: Call): Promise<string | null>
  stop(): Promise<void>
}

/** A program that reads a call from each line, and prints a line of JSON for each. */
function caller(command: readonly string[]): Caller {
  const child = Bun.spawn([...command], { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit', timeout: CALLS_MS })
  const lines = linesOf(child.stdout)
  return {
    async call(call) {
      child.stdin.write(`${JSON.stringify(call)}\n`)
      await child.stdin.flush()
      const { value, done } = await lines.next()
      return done === true ? `the program ended with ${await child.exited}` : JSON.parse(value)
    },
    async stop() {
      await child.stdin.end()
      await child.exited
    },
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  return undefined
}

/** A client generated from an OpenAPI document. */
export interface GeneratedClient {
  /** Number of generated files. */
  readonly files: number
  /** What the generator printed; empty if it understood everything. */
  readonly warnings: string
  /** Starts a program that calls operations of the server at the URL. */
  start(url: string): Caller
  /** Problems that the tools of its language find, such as a validator or a compiler; empty if there are none. */
  check(): Promise<string>
  remove(): void
}

function filesIn(folder: string): number {
  return [...new Bun.Glob('**/*').scanSync({ cwd: folder })].length
}

/** A client by openapi-python-client, checked by openapi-spec-validator; null, with a warning, without Python or PyPI. */
export async function pythonClient(document: string): Promise<GeneratedClient | null> {
  const environment = await pythonEnvironment('openapi-python-client', ['-r', join(HERE, 'requirements.txt')])
  if (environment === null) return null
  const { bin, folder, remove } = environment
  const path = join(folder, 'openapi.json')
  const generated = join(folder, 'generated')
  writeFileSync(path, document)
  const PATH = `${bin}:${process.env['PATH'] ?? ''}`
  const command = ['generate', '--path', path, '--meta', 'none', '--output-path', generated]
  const said = await output([join(bin, 'openapi-python-client'), ...command], { timeoutMs: GENERATE_MS, env: { PATH } })
  return {
    files: filesIn(generated),
    warnings: said.replace(/^Generating .*$/m, '').trim(),
    start: (url) => caller([join(bin, 'python'), join(HERE, 'calls.py'), folder, url]),
    async check() {
      const said = await output([join(bin, 'openapi-spec-validator'), path], { timeoutMs: GENERATE_MS })
      return said.trim().endsWith(': OK') ? '' : said
    },
    remove,
  }
}

/** A client by openapi-ts that checks every answer with zod, compiled by TypeScript; null if they are not installed. */
export async function typescriptClient(document: string): Promise<GeneratedClient | null> {
  if (!TYPESCRIPT) return null
  const folder = mkdtempSync(join(tmpdir(), 'portlight-generated-'))
  symlinkSync(MODULES, join(folder, 'node_modules'))
  const path = join(folder, 'openapi.json')
  const generated = join(folder, 'client')
  writeFileSync(path, document)
  const run = (program: string, args: readonly string[]) =>
    output([process.execPath, '--bun', join(MODULES, program), ...args], { timeoutMs: GENERATE_MS, cwd: folder })
  const config = join(HERE, 'openapi-ts.config.mjs')
  const said = await run('@hey-api/openapi-ts/bin/run.js', ['-f', config, '-i', path, '-o', generated])
  return {
    files: filesIn(generated),
    warnings: /warn|error/i.test(said) ? said : '',
    start: (url) => caller([process.execPath, join(HERE, 'calls.ts'), generated, url]),
    check: () =>
      run('typescript/bin/tsc', [
        ...['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'],
        ...['--moduleResolution', 'bundler', '--lib', 'es2023,dom,dom.iterable', join(generated, 'sdk.gen.ts')],
      ]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Problems that Redocly finds in a document, by rule and place; null if it is not installed. */
export async function redocly(document: string): Promise<string[] | null> {
  if (!existsSync(join(MODULES, '@redocly', 'cli'))) return null
  const folder = mkdtempSync(join(tmpdir(), 'portlight-redocly-'))
  try {
    const path = join(folder, 'openapi.json')
    writeFileSync(path, document)
    const lint = ['lint', path, '--extends', 'recommended', '--format', 'json', '--max-problems', '1000']
    const said = await output([process.execPath, '--bun', join(MODULES, '@redocly/cli/bin/cli.js'), ...lint], {
      timeoutMs: GENERATE_MS,
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      mayFail: true,
    })
    const { problems } = JSON.parse(said) as {
      problems: { ruleId: string; location: { pointer: string }[] }[]
    }
    return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
