import { isatty } from 'node:tty'
import pino, { type Logger } from 'pino'
import { logText } from './log-text.ts'

export type Log = Logger

/** `auto`: text on a terminal, JSON otherwise. */
export type LogFormat = 'auto' | 'text' | 'json'

/** Members that are redacted, at the top level and up to two levels down. */
const SECRETS = ['community', 'authpass', 'cryptopass', 'token', 'password', 'authorization', 'secret']

const STDERR = 2

/**
 * The root logger of the process. Writes synchronously to stderr, as JSON lines or as text (log-text.ts), with secrets
 * replaced by `[redacted]`. Components use `log.child({ component: 'poller' })`. `level` is one of pino's (default
 * `info`; `silent` in tests).
 */
export function createLog(level = 'info', format: LogFormat = 'auto'): Log {
  const terminal = isatty(STDERR)
  const destination = pino.destination({ dest: STDERR, sync: true })
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: SECRETS.flatMap((s) => [s, `*.${s}`, `*.*.${s}`]), censor: '[redacted]' },
  }
  if (format === 'json' || (format === 'auto' && !terminal)) return pino(options, destination)
  const colour = terminal && (process.env['NO_COLOR'] ?? '') === ''
  return pino(options, { write: (line: string) => destination.write(logText(line, colour)) })
}
