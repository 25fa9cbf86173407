/** @jsxImportSource #jsx */
import { encodeQR } from 'qr'
import type { Html } from '../jsx/jsx-runtime.ts'

/** Quiet zone that readers need around the code, in modules (ISO/IEC 18004). */
const QUIET = 4

/** Text as a QR code, black on white in both themes. */
export function Qr({ text, label }: { readonly text: string; readonly label: string }): Html {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET })
  const side = rows.length
  return (
    <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect class="qr-paper" width={side} height={side} />
      <path class="qr-ink" d={rows.map(pathOf).join('')} />
    </svg>
  )
}

/** The dark runs of a row, as an SVG path. */
function pathOf(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    if (row[x] !== true) continue
    const from = x
    while (row[x + 1] === true) x++
    const n = x + 1 - from
    path += `M${from} ${y}h${n}v1h-${n}z`
  }
  return path
}
