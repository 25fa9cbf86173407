import assignments from 'oui-data' with { type: 'json' }

/**
 * Macro that embeds the IEEE registry of address blocks in the importing file as a literal, so that the compiled binary
 * needs no file. Sorted lines of block and manufacturer, `001122 Manufacturer`; blocks have 6, 7 or 9 hex digits (MA-L,
 * MA-M, MA-S). Postal addresses, which are most of the registry, are left out.
 */
export function embeddedManufacturers(): string {
  return Object.entries(assignments as Readonly<Record<string, string>>)
    .map(([block, text]) => `${block.toLowerCase()} ${text.split('\n', 1)[0]?.trim()}`)
    .sort()
    .join('\n')
}
