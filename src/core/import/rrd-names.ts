/**
 * Names of RRD files. Files are always looked up from the rows that they belong to, never the reverse, because names
 * lose characters and two rows may share a file.
 */

const OTHER = /[^A-Za-z0-9,._-]/

/** Replaces each byte that is not allowed in a name by `_`. */
export function safeName(text: string): string {
  if (!OTHER.test(text)) return text
  return [...new TextEncoder().encode(text)]
    .map((octet) => (octet < 128 && !OTHER.test(String.fromCharCode(octet)) ? String.fromCharCode(octet) : '_'))
    .join('')
}

/** The folder of a device. */
export function folderName(hostname: string): string {
  return safeName(hostname.replace(/^\[+|\]+$/g, ''))
}

/** The file name made of these parts, in a device's folder. */
export function fileName(...parts: readonly (string | number)[]): string {
  return `${safeName(parts.join('-'))}.rrd`
}
