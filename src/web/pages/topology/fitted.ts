/**
 * Widths of Inter's letters in em, at the weight of names and rounded up; the first that matches. Models are written
 * lighter, so they are a little narrower.
 */
const WIDTHS: readonly (readonly [letters: RegExp, em: number])[] = [
  [/^[ijlI.,:;'|! ]$/, 0.34],
  [/^[frt()[\]/\\]$/, 0.41],
  [/^[1{}_-]$/, 0.48],
  [/^[aceksvxyzFJL57]$/, 0.6],
  [/^[W@%]$/, 1.03],
  [/^[wmM…]$/, 0.97],
  [/^[a-z0-9]$/, 0.66],
  [/^[A-Z]$/, 0.78],
  [/^[ -~]$/, 0.68],
]

/** The width of a text in em, or a little more: the server does not know the fonts of the browser. */
function widthOf(text: string): number {
  let em = 0
  for (const letter of text) {
    const known = WIDTHS.find(([letters]) => letters.test(letter))
    em += known?.[1] ?? (Bun.stringWidth(letter) > 1 ? 1.1 : 0.85)
  }
  return em
}

/** As much of a text as fits into `width` pixels at a font size, with … if something was left out. */
export function fitted(text: string, width: number, fontPx: number): string {
  const most = width / fontPx
  if (widthOf(text) <= most) return text
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.slice(0, 200))]
  let kept = ''
  for (const { segment } of letters) {
    if (widthOf(`${kept}${segment}…`) > most) break
    kept += segment
  }
  return `${kept}…`
}
