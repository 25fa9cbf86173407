/** A command of a block, and what the page says that it prints. */
export interface Command {
  /** As it is typed, with its continued lines and here-documents, without the prompt. */
  readonly text: string
  /** Lines that the page shows below it; empty: it shows none, and nothing is compared. */
  readonly printed: readonly string[]
}

/** A fenced block of commands. */
export interface Block {
  readonly page: string
  /** Line of the opening fence, from 1. */
  readonly line: number
  /** What follows the language on the fence; `run` for the steps of the how-tos for contributors. */
  readonly info: string
  readonly commands: readonly Command[]
}

/** `$` is the prompt of a user, `#` of root; on pages about several machines the name of one precedes it. */
const PROMPT = /^(?:[a-z]+)?[$#] +/
const HERE_DOCUMENT = /<<-?\s*'?(\w+)'?/

/** The fenced blocks of a language in a Markdown text: info string, first line, and lines without their indentation. */
export function fences(markdown: string, language: string): { info: string; line: number; lines: string[] }[] {
  const lines = markdown.split('\n')
  const found: { info: string; line: number; lines: string[] }[] = []
  for (let i = 0; i < lines.length; i++) {
    const [, indent = '', fence = '', named = '', info = ''] = /^( *)(`{3,})(\S*) *(.*)$/.exec(lines[i] ?? '') ?? []
    if (fence === '') continue
    const end = lines.findIndex((line, at) => at > i && line.trimEnd() === `${indent}${fence}`)
    if (end < 0) throw new Error(`the block of line ${i + 1} does not end`)
    const inside = lines.slice(i + 1, end).map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
    if (named === language) found.push({ info, line: i + 1, lines: inside })
    i = end
  }
  return found
}

/** The `console` blocks of a page. Throws if one shows output before its first command. */
export function consoleBlocks(page: string, markdown: string): Block[] {
  return fences(markdown, 'console').map(({ info, line, lines }) => ({ page, line, info, commands: commandsOf(lines) }))
}

function commandsOf(lines: readonly string[]): Command[] {
  const commands: { text: string; printed: string[] }[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    if (!PROMPT.test(line)) {
      const last = commands.at(-1)
      if (last === undefined) throw new Error(`a block begins with what is no command: ${line}`)
      last.printed.push(line)
      continue
    }
    const typed = [line.replace(PROMPT, '')]
    while (typed.at(-1)?.endsWith('\\') === true) typed.push(lines[++i] ?? '')
    const [, end] = HERE_DOCUMENT.exec(typed.join('\n')) ?? []
    if (end !== undefined) {
      const closes = lines.indexOf(end, i + 1)
      if (closes < 0) throw new Error(`no line of ${end} ends: ${line}`)
      typed.push(...lines.slice(i + 1, closes + 1))
      i = closes
    }
    commands.push({ text: typed.join('\n'), printed: [] })
  }
  return commands.map(({ text, printed }) => ({ text, printed: trimmed(printed) }))
}

/** Without empty lines at the end. */
function trimmed(lines: readonly string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1)
}
