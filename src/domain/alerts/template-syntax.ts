/** Template directives that open a block, and their closing directive. */
const BLOCKS: Readonly<Record<string, string>> = {
  if: 'endif',
  unless: 'endunless',
  isset: 'endisset',
  empty: 'endempty',
  foreach: 'endforeach',
  forelse: 'endforelse',
  for: 'endfor',
  while: 'endwhile',
  switch: 'endswitch',
  php: 'endphp',
}
const CLOSERS: ReadonlySet<string> = new Set(Object.values(BLOCKS))

/** Delimiters of values: `{{ $alert->title }}`, `{!! $alert->msg !!}`, `{{-- a comment --}}`. */
const MARKS: readonly (readonly [open: string, close: string])[] = [
  ['{{--', '--}}'],
  ['{!!', '!!}'],
  ['{{', '}}'],
]

/**
 * Why a notification template is invalid; null: it is valid. Checks that `{{ }}`, `{!! !!}` and the directives `@if`,
 * `@foreach`, ... are closed. Inside `@forelse`, `@empty` opens no block.
 */
export function templateFault(template: string): string | null {
  const text = withoutValues(template)
  if (text === null) return 'A value is not closed'
  const open: string[] = []
  for (const [, name = '', bracket] of text.matchAll(/(?<![\w@])@([a-z]+)\b(\s*\()?/g)) {
    if (CLOSERS.has(name)) {
      const last = open.pop()
      if (last === undefined || BLOCKS[last] !== name) return `@${name} closes nothing`
    } else if (opens(name, bracket !== undefined, open)) open.push(name)
  }
  const left = open.at(-1)
  return left === undefined ? null : `@${left} is not closed`
}

function opens(name: string, bracket: boolean, open: readonly string[]): boolean {
  if (!(name in BLOCKS)) return false
  if (name === 'empty') return bracket && open.at(-1) !== 'forelse'
  // `@php(...)` is a complete statement.
  return name === 'php' ? !bracket : true
}

/** The text without values and comments; null: one of them is not closed. */
function withoutValues(template: string): string | null {
  let rest = template
  let text = ''
  for (;;) {
    const start = rest.search(/\{\{|\{!!/)
    if (start < 0) return text + rest
    const [open, close] = MARKS.find(([mark]) => rest.startsWith(mark, start)) ?? ['{{', '}}']
    const end = rest.indexOf(close, start + open.length)
    if (end < 0) return null
    text += rest.slice(0, start)
    rest = rest.slice(end + close.length)
  }
}
