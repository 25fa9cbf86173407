/** A colour of a scene. */
export interface Colour {
  /** 0 to 255. */
  readonly red: number
  readonly green: number
  readonly blue: number
  /** 0 (invisible) to 1 (opaque). */
  readonly alpha: number
}

/** Reads `#rrggbb` and `rgba(r, g, b, a)`, the two forms in `palette.ts`. Throws for others. */
export function parseColour(text: string): Colour {
  const hex = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text)
  if (hex !== null) {
    const [red = 0, green = 0, blue = 0] = hex.slice(1).map((part) => Number.parseInt(part, 16))
    return { red, green, blue, alpha: 1 }
  }
  const mixed = /^rgba\((\d{1,3}), (\d{1,3}), (\d{1,3}), ([\d.]{1,8})\)$/.exec(text)
  if (mixed === null) throw new Error(`not a colour of a scene: ${text}`)
  const [red = 0, green = 0, blue = 0, alpha = 1] = mixed.slice(1).map(Number)
  return { red, green, blue, alpha }
}
