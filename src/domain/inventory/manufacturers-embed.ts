import assignments from 'oui-data' with { type: 'json' }

/**
 * Macro: embeds IEEE's registry of address blocks in the importing file as a literal, so that the compiled binary needs
 * no file. Sorted lines of block and manufacturer, `001122 Manufacturer`. Blocks have 6, 7 or 9 hex digits (MA-L, MA-M,
 * MA-S). Postal addresses, most of the registry, are dropped.
 */
export function embeddedManufacturers(): string {
  return Object.entries(assignments as Readonly<Record<string, string>>)
    .map(([block, text]) => `${block.toLowerCase()} ${text.split('\n', 1)[0]?.trim()}`)
    .sort()
    .join('\n')
}
