/** A value measured by a check. */
export interface Measured {
  readonly label: string
  /** In its unit; NaN: unknown (`U`). */
  readonly value: number
  /** As the check reports it: `s`, `ms`, `%`, `B`, `c` (a counter), ''. */
  readonly unit: string
}

/** 0 ok, 1 warning, 2 critical, 3 unknown. */
export type CheckStatus = 0 | 1 | 2 | 3

/** What one check of a service found. */
export interface CheckResult {
  readonly status: CheckStatus
  /** One line, at most 1,024 characters. */
  readonly message: string
  readonly measured: readonly Measured[]
}

const MAX_MESSAGE = 1024

/** One line without control characters, at most 1,024 characters. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, MAX_MESSAGE * 4)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must not be stored
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ')
    .trim()
    .toWellFormed()
  return line.length <= MAX_MESSAGE ? line : `${line.slice(0, MAX_MESSAGE - 1).toWellFormed()}…`
}

/** A result with its message on one line. */
export function resultOf(status: CheckStatus, message: string, measured: readonly Measured[] = []): CheckResult {
  return { status, message: oneLine(message), measured }
}
