/** @jsxImportSource #jsx */
/** Icons in the sprite `assets/icons.svg`. */
export type IconName =
  | 'bell'
  | 'bill'
  | 'bolt'
  | 'calendar'
  | 'check'
  | 'cols'
  | 'eye'
  | 'gauge'
  | 'gear'
  | 'go'
  | 'graph'
  | 'group'
  | 'hash'
  | 'heart'
  | 'help'
  | 'home'
  | 'key'
  | 'layers'
  | 'log'
  | 'moon'
  | 'more'
  | 'pin'
  | 'plus'
  | 'port'
  | 'route'
  | 'save'
  | 'search'
  | 'server'
  | 'wifi'
  | 'x'

/** Marks for states, which can be told apart by shape as well as by colour. */
export type MarkName = 's-up' | 's-down' | 's-warn' | 's-ack' | 's-off' | 's-none'

let sprite = '/assets/icons.svg'

/** Sets the address of the sprite, which depends on its content. */
export function useSprite(url: string): void {
  sprite = url
}

/** A decorative icon next to its text. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="i" aria-hidden="true">
      <use href={`${sprite}#${name}`} />
    </svg>
  )
}

/** Colour of a state: `ok`, `warn`, `bad`, `ack` (acknowledged), `off`. */
export type Tone = 'ok' | 'warn' | 'bad' | 'ack' | 'off'

const MARKS: Readonly<Record<Tone, MarkName>> = {
  ok: 's-up',
  warn: 's-warn',
  bad: 's-down',
  ack: 's-ack',
  off: 's-off',
}

/** The mark of a state, for tables; `label` is its text for screen readers, null if the text is next to it. */
export function Mark({ tone, label }: { readonly tone: Tone; readonly label: string | null }) {
  return (
    <svg
      class={`s m-${tone}`}
      role={label === null ? null : 'img'}
      aria-label={label}
      aria-hidden={label === null ? 'true' : null}
    >
      <use href={`${sprite}#${MARKS[tone]}`} />
    </svg>
  )
}

/** A mark with its text. */
export function Pill({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span class={`pill ${tone}`}>
      <svg class="s" aria-hidden="true">
        <use href={`${sprite}#${MARKS[tone]}`} />
      </svg>
      {children}
    </span>
  )
}
