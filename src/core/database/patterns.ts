/** The text escaped, so that it matches itself in a LIKE pattern. */
export const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** The LIKE pattern for values that contain the text. */
export const containing = (text: string): string => `%${escaped(text)}%`
