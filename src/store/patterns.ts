/** Text whose characters mean themselves in a pattern of `like`. */
export const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')

/** The pattern of `like` for what contains the text. */
export const containing = (text: string): string => `%${escaped(text)}%`
