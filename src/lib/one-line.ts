/** Text in one line: blanks in place of control characters, with which a device could command a terminal (ECMA-48). */
export const oneLine = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ')
