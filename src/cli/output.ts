import { writeSync } from 'node:fs'
import { oneLine } from '../lib/one-line.ts'

/** A table cell; null prints as a dash. */
export type Cell = string | number | boolean | null

/** Writes a line of data to stdout, or several. */
export function print(line: string): void {
  write(1, `${harmless(line)}\n`)
}

/** Writes a message to stderr, so that it does not mix with data. */
export function say(line: string): void {
  write(2, `${harmless(line)}\n`)
}

/** Writes a secret that is not shown again: with its name for people, alone for programs that read it. */
export function printSecret(name: string, secret: string): void {
  print(process.stdout.isTTY ? `${name} (shown once): ${secret}` : secret)
}

/** Writes a value as JSON to stdout. `indent`: spaces. */
export function printJson(value: unknown, indent = 2): void {
  print(jsonText(JSON.stringify(value, null, indent)))
}

/**
 * JSON text in which characters are escaped that JSON allows as they are: control characters from U+007F on, and those
 * that reorder what follows.
 */
export const jsonText = (json: string): string =>
  json.replaceAll(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * Text without control characters, with which a device could command the terminal (ECMA-48, one octet or two), except
 * ends of lines and tabs, and without those that reorder what follows (Unicode Standard Annex 9), as on the pages.
 */
const harmless = (text: string): string =>
  text.replaceAll(/[\p{Cc}--[\n\t]]+/gv, ' ').replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, ' ')

/** Writes rows under a heading, in columns as wide as their content. Numbers are right-aligned. */
export function printTable(heading: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const lines = [heading, ...rows.map((row) => row.map(cellText))]
  const widths = heading.map((_, column) => Math.max(...lines.map((line) => Bun.stringWidth(line[column] ?? ''))))
  const numeric = heading.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'))
  for (const line of lines) {
    const cells = line.map((text, column) => {
      const gap = ' '.repeat(Math.max(0, (widths[column] ?? 0) - Bun.stringWidth(text)))
      return numeric[column] === true ? gap + text : text + gap
    })
    print(cells.join('  ').trimEnd())
  }
}

/** Replaces control characters, which may come from a device and must not reach the terminal. */
function cellText(cell: Cell): string {
  return cell === null ? '-' : oneLine(String(cell))
}

/** Like `print`, but returns false if stdout is closed instead of ending the program. */
export function tryPrint(line: string): boolean {
  try {
    writeAll(1, `${harmless(line)}\n`)
    return true
  } catch {
    return false
  }
}

/** Ends the program silently if the pipe is closed. */
function write(fd: 1 | 2, text: string): void {
  try {
    writeAll(fd, text)
  } catch (error) {
    if (codeOf(error) === 'EPIPE') process.exit(fd === 1 ? 0 : 1)
    throw error
  }
}

/** Writes synchronously, so that an exit right after loses nothing. */
function writeAll(fd: 1 | 2, text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error
      Bun.sleepSync(1) // slow reader
    }
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : ''
}
