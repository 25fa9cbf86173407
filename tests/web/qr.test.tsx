/** @jsxImportSource #jsx */
import { expect, test } from 'bun:test'
import { decodeQR } from 'qr/decode.js'
import { Qr } from '../../src/web/components/qr.tsx'

const SCALE = 6

/** What a scanner sees: the dark runs of the drawing as pixels. */
function pictureOf(svg: string) {
  const side = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1]) * SCALE
  const data = new Uint8Array(side * side * 4).fill(255)
  for (const [, x, y, n] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1/g)) {
    for (let dy = 0; dy < SCALE; dy++) {
      const from = ((Number(y) * SCALE + dy) * side + Number(x) * SCALE) * 4
      for (let i = 0; i < Number(n) * SCALE; i++) data.fill(0, from + i * 4, from + i * 4 + 3)
    }
  }
  return { width: side, height: side, data }
}

test.each([
  'otpauth://totp/Portlight:admin?issuer=Portlight&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
  `otpauth://totp/${encodeURIComponent('Zoë <b> ').repeat(8)}?secret=JBSWY3DPEHPK3PXP`,
])('a scanner reads %p from the drawing', (text) => {
  const { text: svg } = <Qr text={text} label="a code" />
  expect(decodeQR(pictureOf(svg))).toBe(text)
})
