/** A type in the contract's notation: `{status:"ok", devices:[Device], count:int}`. */
export type Shape =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'literal'; readonly value: string | number }
  | { readonly kind: 'list'; readonly of: Shape }
  | { readonly kind: 'union' | 'all'; readonly of: readonly Shape[] }
  | { readonly kind: 'object'; readonly members: readonly Member[]; readonly rest: Shape | null }

interface Member {
  readonly name: string
  readonly optional: boolean
  readonly shape: Shape
}

const TOKEN = /\s+|\/\*.*?\*\/|"(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|\d+|[{}[\]()|&:,?]/gs

/** Parses the notation. Throws on anything unknown. */
export function parseShape(text: string): Shape {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !/^\s|^\/\*/.test(token))
  let at = 0
  const peek = () => tokens[at]
  const take = (wanted?: string): string => {
    const token = tokens[at++]
    if (token === undefined || (wanted !== undefined && token !== wanted)) {
      throw new Error(`shape: expected ${wanted ?? 'more'}, found ${token} in ${text}`)
    }
    return token
  }
  const union = (): Shape => several('|', 'union', () => several('&', 'all', postfix))
  function several(separator: string, kind: 'union' | 'all', part: () => Shape): Shape {
    const parts = [part()]
    while (peek() === separator) {
      take()
      parts.push(part())
    }
    return parts.length === 1 && parts[0] ? parts[0] : { kind, of: parts }
  }
  function postfix(): Shape {
    let shape = primary()
    while (peek() === '[' && tokens[at + 1] === ']') {
      at += 2
      shape = { kind: 'list', of: shape }
    }
    return shape
  }
  function primary(): Shape {
    const token = take()
    if (token === '{') return object()
    if (token === '[' && peek() === ']') {
      take()
      return { kind: 'list', of: { kind: 'union', of: [] } } // the empty list
    }
    if (token === '(' || token === '[') {
      const inner = union()
      take(token === '(' ? ')' : ']')
      return token === '(' ? inner : { kind: 'list', of: inner }
    }
    if (token === '"Y-m-d H:i:s"') return { kind: 'name', name: 'time' }
    if (token.startsWith('"')) return { kind: 'literal', value: JSON.parse(token) as string }
    if (/^\d+$/.test(token)) return { kind: 'literal', value: Number(token) }
    return { kind: 'name', name: token }
  }
  function object(): Shape {
    const members: Member[] = []
    let rest: Shape | null = null
    while (peek() !== '}') {
      if (peek() === '[') {
        at += 4 // [name : string
        take(']')
        take(':')
        rest = union()
      } else {
        const name = take()
        const optional = peek() === '?'
        if (optional) take()
        // only a name: the contract defines the type elsewhere
        const typed = peek() === ':'
        if (typed) take()
        const shape: Shape = typed ? union() : { kind: 'name', name: 'any' }
        members.push({ name: name.startsWith('"') ? (JSON.parse(name) as string) : name, optional, shape })
      }
      if (peek() === ',') take()
    }
    take('}')
    return { kind: 'object', members, rest }
  }
  return union()
}

/** Differences between a value and the shape, by path. Additional members are allowed. */
export type NamedCheck = (value: unknown, path: string) => string[] | null

/** Checks a value against a shape. `named` returns the check of a record type, null for unknown names. */
export function shapeErrors(value: unknown, shape: Shape, named: (name: string) => NamedCheck, path = ''): string[] {
  const wrong = (wanted: string) => [
    `${path || 'body'}: expected ${wanted}, found ${JSON.stringify(value)?.slice(0, 80)}`,
  ]
  switch (shape.kind) {
    case 'literal':
      return value === shape.value ? [] : wrong(JSON.stringify(shape.value))
    case 'list':
      if (!Array.isArray(value)) return wrong('a list')
      return value.flatMap((item, i) => shapeErrors(item, shape.of, named, `${path}[${i}]`))
    case 'union': {
      const tries = shape.of.map((one) => shapeErrors(value, one, named, path))
      return tries.some((errors) => errors.length === 0) ? [] : (tries[0] ?? [])
    }
    case 'all':
      return shape.of.flatMap((one) => shapeErrors(value, one, named, path))
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong('an object')
      const record = value as Record<string, unknown>
      const rest = shape.rest
      if (rest) return Object.entries(record).flatMap(([k, v]) => shapeErrors(v, rest, named, `${path}.${k}`))
      return shape.members.flatMap(({ name, optional, shape: member }) => {
        if (record[name] === undefined) return optional ? [] : [`${path}.${name}: missing`]
        return shapeErrors(record[name], member, named, `${path}.${name}`)
      })
    }
    case 'name':
      return simple(value, shape.name) ?? named(shape.name)(value, path) ?? [`${path}: unknown type ${shape.name}`]

    default:
      return wrong('a known kind of shape')
  }
  /** null: not a simple type. */
  function simple(simpleValue: unknown, name: string): string[] | null {
    switch (name) {
      case 'string':
      case 'number':
      case 'boolean':
        return typeof simpleValue === name ? [] : wrong(name)
      case 'any':
        return []
      case 'object':
        return typeof simpleValue === 'object' && simpleValue !== null ? [] : wrong('object')
      case 'time':
        return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(String(simpleValue)) ? [] : wrong('Y-m-d H:i:s')
      case 'int':
        return Number.isInteger(simpleValue) ? [] : wrong('int')
      case 'false':
        return simpleValue === false ? [] : wrong('false')
      case 'null':
        return simpleValue === null ? [] : wrong('null')
      default:
        return null
    }
  }
}
