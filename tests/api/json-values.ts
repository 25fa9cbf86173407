/** Values of every JSON type, in addition to those of single fields. */
export const VALUES: readonly unknown[] = [
  ...[null, true, false, 0, 1, 2, 7, -1, 1.5, 65_536, 2_147_483_648, 1e21, 2 ** 53 + 2],
  ...['', ' ', '0', '1', '3', '-1', '0x10', '1e3', '01', 'true', 'false', 'plain', 'MiXed Case ', 'o\'clock "%\\'],
  ...[
    'Grüße 東京 🚀',
    'line\nline',
    'x'.repeat(128),
    'x'.repeat(129),
    '🚀'.repeat(128),
    'y'.repeat(300),
    '{{ $nothing }}',
  ],
  ...[[], [1, 'a'], {}, { a: 1 }],
]

/** A value as stored in a text column. */
export function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
