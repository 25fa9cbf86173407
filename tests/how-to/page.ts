import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A step of a how-to: a new file, a change of a file as a diff, or a command. */
export type Step =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'diff'; readonly path: string; readonly text: string }
  | { readonly kind: 'command'; readonly command: string }

/**
 * The steps of a page in order. A fenced block whose info string names a file is that file; with the language `diff` it
 * is a change of the file. The lines of `console run` blocks that begin with `$ ` are commands. Other blocks are only
 * for reading.
 */
export function stepsOf(markdown: string): Step[] {
  return [...markdown.matchAll(/^```(\w+) (\S+)\n(.*?)^```$/gms)].flatMap(
    ([, language = '', name = '', text = '']): Step[] => {
      if (language !== 'console')
        return [language === 'diff' ? { kind: 'diff', path: name, text } : { kind: 'file', path: name, text }]
      const commands = text.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []))
      return commands.map((command) => ({ kind: 'command', command }))
    },
  )
}

/** Applies a step to the checkout in `root`. Throws if a file exists already, or a diff does not fit exactly once. */
export function apply(root: string, step: Exclude<Step, { kind: 'command' }>): void {
  const path = join(root, step.path)
  if (step.kind === 'file') {
    if (existsSync(path)) throw new Error(`${step.path} exists already: show the change as a diff`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, step.text)
    return
  }
  if (!existsSync(path)) throw new Error(`${step.path} does not exist: name the file that it has become`)
  writeFileSync(path, patched(step.path, readFileSync(path, 'utf8'), step.text))
}

/** `text` after a diff of hunks, which lines of `@@` separate. */
function patched(path: string, text: string, diff: string): string {
  return diff.split(/^@@.*\n/m).reduce((before, hunk) => {
    const lines = hunk.split('\n').filter((line) => line !== '')
    if (lines.length === 0) return before
    const of = (marks: string) => lines.flatMap((line) => (marks.includes(line[0] ?? '') ? [`${line.slice(1)}\n`] : []))
    const old = of(' -').join('')
    const parts = `\n${before}`.split(`\n${old}`)
    if (old === '' || parts.length !== 2)
      throw new Error(`${path} has these lines ${old === '' ? 0 : parts.length - 1} times instead of once:\n${old}`)
    return parts.join(`\n${of(' +').join('')}`).slice(1)
  }, text)
}
