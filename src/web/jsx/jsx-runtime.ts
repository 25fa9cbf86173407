/** Markup that is safe to send: text that came from data has been escaped. */
export class Html {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text
  }
}

/** Content of an element. Text is escaped; booleans, null and undefined render nothing. */
export type Child = Html | string | number | boolean | null | undefined | readonly Child[]

type Attribute = string | number | boolean | null | undefined

/**
 * Attributes of any element. The content security policy of the pages blocks inline styles and handlers, so they are
 * not accepted. `href`, `src` and `action` other than paths, queries, fragments and http addresses are left out.
 */
interface Attributes {
  readonly [name: string]: Attribute | Child
  readonly style?: never
  readonly onclick?: never
  readonly children?: Child
}

type Component<P> = (props: P) => Html | null

const VOID = new Set(['br', 'col', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'srcset'])
const SAFE_ADDRESS = /^(?:[/#?]|https?:\/\/|otpauth:\/\/|[\w.-]*$)/
const NAME = /^[a-zA-Z][\w:-]*$/

function childText(child: Child): string {
  if (typeof child === 'string') return Bun.escapeHTML(child)
  if (child instanceof Html) return child.text
  if (typeof child === 'number') return String(child)
  if (Array.isArray(child)) {
    let text = ''
    for (const one of child as readonly Child[]) text += childText(one)
    return text
  }
  return ''
}

function attributeText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === false || !NAME.test(name)) return ''
  if (value === true) return ` ${name}`
  const text = String(value)
  if (ADDRESSES.has(name) && !SAFE_ADDRESS.test(text)) return ''
  return ` ${name}="${Bun.escapeHTML(text)}"`
}

const NOTHING = new Html('')

/** An element, or what a component returns. Called by the compiler for JSX. */
export function jsx<P extends Attributes>(type: string | Component<P>, props: P): Html {
  if (typeof type === 'function') return type(props) ?? NOTHING
  let text = `<${type}`
  for (const name in props) if (name !== 'children') text += attributeText(name, props[name])
  if (VOID.has(type)) return new Html(`${text}>`)
  return new Html(`${text}>${childText(props.children)}</${type}>`)
}

export const jsxs = jsx

/** `<>…</>`: several children without a parent element. */
export function Fragment({ children }: { readonly children?: Child }): Html {
  return new Html(childText(children))
}

export declare namespace JSX {
  type Element = Html
  type ElementType = string | ((props: never) => Html | null)
  interface ElementChildrenAttribute {
    readonly children: Child
  }
  interface IntrinsicElements {
    readonly [tag: string]: Attributes
  }
}
