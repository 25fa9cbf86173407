import { cellText, SourceError } from './source.ts'

/** Encodings by the name that MySQL has for them. Those whose characters may contain a backslash are not among them. */
const ENCODINGS: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf8mb3: 'utf-8',
  utf8mb4: 'utf-8',
  binary: 'utf-8',
  ascii: 'utf-8',
  // What MySQL calls latin1 is Windows code page 1252.
  latin1: 'windows-1252',
  latin2: 'iso-8859-2',
  latin5: 'windows-1254',
  latin7: 'iso-8859-13',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  cp1256: 'windows-1256',
  cp1257: 'windows-1257',
  cp866: 'ibm866',
  greek: 'iso-8859-7',
  hebrew: 'iso-8859-8',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
  tis620: 'windows-874',
}

/** Reads the octets of a text. */
export type TextReader = (octets: Uint8Array) => string

/**
 * Reads texts in a character set of MySQL. A text of a one-byte set that is well-formed UTF-8 with more than ASCII is
 * read as UTF-8: programs stored such texts through connections of the wrong set. Throws SourceError for a set that is
 * not supported.
 */
export function readerOf(file: string, charset: string): TextReader {
  const encoding = Object.hasOwn(ENCODINGS, charset) ? ENCODINGS[charset] : undefined
  if (encoding === undefined)
    throw new SourceError(
      `${file} is written in the character set ${charset}: make it again with --default-character-set=utf8mb4`,
    )
  if (encoding === 'utf-8') return cellText
  const strict = new TextDecoder('utf-8', { fatal: true })
  const single = new TextDecoder(encoding as Bun.Encoding)
  return (octets) => {
    if (octets.every((octet) => octet < 0x80)) return cellText(octets)
    try {
      return strict.decode(octets)
    } catch {
      return single.decode(octets)
    }
  }
}
