import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** The end of a log, whole lines. */
export type RecentLog =
  | { readonly kind: 'found'; readonly text: string }
  | { readonly kind: 'none'; readonly reason: string }

const MAX_OCTETS = 4 * 1024 * 1024
const MAX_LINES = '5000'
const TIMEOUT_MS = 10_000

/**
 * Passwords of first administrators in a log. The server prints one at its first start; only its hash is stored, so it
 * is not among the secrets of the database.
 */
export const firstPasswords = (log: string): string[] =>
  [...log.matchAll(/\buser \S+, password (\S+)/g)].map(([, password = '']) => password)

/** The last lines of the file, or of unit `portlight` in systemd's journal. */
export async function recentLog(file: string | undefined): Promise<RecentLog> {
  if (file !== undefined) return endOf(file)
  if (Bun.which('journalctl') === null)
    return { kind: 'none', reason: 'there is no systemd journal; name a file with --log' }
  const run = Bun.spawn(
    ['journalctl', '--unit', 'portlight', '--lines', MAX_LINES, '--output', 'short-iso', '--no-pager'],
    {
      stdout: 'pipe',
      stderr: 'ignore',
      stdin: 'ignore',
      timeout: TIMEOUT_MS,
    },
  )
  const text = await new Response(run.stdout).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('-- '))
  if ((await run.exited) !== 0 || lines.length === 0)
    return {
      kind: 'none',
      reason: 'the journal has no lines of unit portlight that this user may read; name a file with --log',
    }
  return { kind: 'found', text: `${lines.join('\n').slice(-MAX_OCTETS)}\n` }
}

function endOf(file: string): RecentLog {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const { size } = fstatSync(descriptor)
      const octets = Buffer.alloc(Math.min(size, MAX_OCTETS))
      readSync(descriptor, octets, 0, octets.length, size - octets.length)
      const text = octets.toString('utf8')
      // The first line may begin in the middle of a secret, which would not be recognised.
      return { kind: 'found', text: size > MAX_OCTETS ? text.slice(text.indexOf('\n') + 1) : text }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    return { kind: 'none', reason: `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}
