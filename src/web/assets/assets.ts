import { brotliCompressSync, constants } from 'node:zlib'
import font from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2' with { type: 'file' }
import icon192 from './icon-192.png' with { type: 'file' }
import icon512 from './icon-512.png' with { type: 'file' }

/** Static files that the pages load. */
export type AssetName =
  | 'main.js'
  | 'chart.js'
  | 'rule.js'
  | 'push-worker.js'
  | 'style.css'
  | 'icons.svg'
  | 'brand.svg'
  | 'inter.woff2'
  | 'icon-192.png'
  | 'icon-512.png'

interface Asset {
  readonly type: string
  readonly plain: Uint8Array<ArrayBuffer>
  /** null: not worth compressing. */
  readonly gzip: Uint8Array<ArrayBuffer> | null
  readonly brotli: Uint8Array<ArrayBuffer> | null
}

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  png: 'image/png',
}

/** The files, under addresses that change with their content so that browsers may cache them forever. */
export interface Assets {
  /** Address of a file: `/assets/main.0a1b2c3d.js`. */
  readonly url: (name: AssetName) => string
  /** The file named by the last part of an address; null: unknown. */
  readonly serve: (file: string, request: Request) => Response | null
  /** The file itself, for addresses that must not change: browsers ask each time whether it did. */
  readonly fixed: (name: AssetName, request: Request) => Response
  /** Size of a file in bytes, compressed as well as browsers can receive it. */
  readonly size: (name: AssetName) => number
}

let loading: Promise<Assets> | null = null

/** Loads the files on the first call. */
export function loadAssets(): Promise<Assets> {
  loading ??= load()
  return loading
}

const hashOf = (octets: Uint8Array) => new Bun.CryptoHasher('sha256').update(octets).digest('hex').slice(0, 12)

async function load(): Promise<Assets> {
  const { BUNDLE } = await import('./bundle.ts')
  const files = new Map<string, Asset>()
  const urls = new Map<string, string>()
  const sizes = new Map<string, number>()
  const add = (name: string, plain: Uint8Array<ArrayBuffer>, compressible: boolean) => {
    const dot = name.lastIndexOf('.')
    const file = `${name.slice(0, dot)}.${hashOf(plain)}${name.slice(dot)}`
    const asset = {
      type: TYPES[name.slice(dot + 1)] ?? 'application/octet-stream',
      plain,
      gzip: compressible ? Bun.gzipSync(plain, { level: 9 }) : null,
      brotli: compressible
        ? Uint8Array.from(brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
        : null,
    }
    files.set(file, asset)
    urls.set(name, `/assets/${file}`)
    sizes.set(name, (asset.brotli ?? plain).byteLength)
  }
  const fontOctets = new Uint8Array(await Bun.file(font).arrayBuffer())
  add('inter.woff2', fontOctets, false)
  for (const [name, path] of [
    ['icon-192.png', icon192],
    ['icon-512.png', icon512],
  ] as const)
    add(name, new Uint8Array(await Bun.file(path).arrayBuffer()), false)
  for (const [name, text] of Object.entries(BUNDLE)) {
    const face = `@font-face{font-family:"Inter Variable";font-display:optional;font-weight:100 900;src:url(${urls.get('inter.woff2')}) format("woff2")}`
    add(name, new TextEncoder().encode(name === 'style.css' ? face + text : text), true)
  }
  const answer = (asset: Asset, request: Request, caching: string): Response => {
    const accepted = request.headers.get('accept-encoding') ?? ''
    const [coding, octets] =
      asset.brotli !== null && /\bbr\b/.test(accepted)
        ? (['br', asset.brotli] as const)
        : asset.gzip !== null && /\bgzip\b/.test(accepted)
          ? (['gzip', asset.gzip] as const)
          : ([null, asset.plain] as const)
    return new Response(octets, {
      headers: {
        'Content-Type': asset.type,
        'Cache-Control': caching,
        'X-Content-Type-Options': 'nosniff',
        Vary: 'Accept-Encoding',
        ...(coding !== null && { 'Content-Encoding': coding }),
      },
    })
  }
  return {
    url: (name) => urls.get(name) ?? '/assets/missing',
    size: (name) => sizes.get(name) ?? 0,
    serve: (file, request) => {
      const asset = files.get(file)
      return asset === undefined ? null : answer(asset, request, 'public, max-age=31536000, immutable')
    },
    fixed: (name, request) => {
      const asset = files.get(urls.get(name)?.replace('/assets/', '') ?? '')
      return asset === undefined ? new Response('Not Found', { status: 404 }) : answer(asset, request, 'no-cache')
    },
  }
}
