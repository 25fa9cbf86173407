import type { StorageRow } from '../observation.ts'

/**
 * Drops rows that the settings `ignore_mount` (the whole description) and `ignore_mount_string` (part of it) exclude.
 * Both names are LibreNMS's.
 */
export function withoutIgnored(
  rows: readonly StorageRow[],
  settings: Readonly<Record<string, unknown>>,
): readonly StorageRow[] {
  const whole = new Set(texts(settings['ignore_mount']))
  const parts = texts(settings['ignore_mount_string'])
  return rows.filter(({ storage_descr: descr }) => !whole.has(descr) && !parts.some((part) => descr.includes(part)))
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string' && item !== '') : []
}
