import assignments from 'oui-data' with { type: 'json' }

/**
 * Macro: leaves IEEE's registry of address blocks in the importing file as a literal, so that the compiled binary needs
 * no file: lines of block and maker in order, `001122 Maker`. Blocks have 6, 7 or 9 hex digits (MA-L, MA-M, MA-S). Only
 * the maker's name is kept; its address is most of the registry.
 */
export function embeddedMakers(): string {
  return Object.entries(assignments as Readonly<Record<string, string>>)
    .map(([block, text]) => `${block.toLowerCase()} ${text.split('\n', 1)[0]?.trim()}`)
    .sort()
    .join('\n')
}
