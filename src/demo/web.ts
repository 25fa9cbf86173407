import { endOf, selfSigned } from './certificate.ts'
import { FLEET } from './fleet.ts'

/** The device that has a web server, and the name in its certificate. */
const WEB_DEVICE = 'web-1'
const WEB_NAME = 'www.demo.example'
/** Its TCP port, if that is free. */
const WEB_PORT = 8443
/** How long before now the certificate begins. */
const AGE_MS = 85 * 86_400_000
const PAGE = `<!doctype html><title>${WEB_NAME}</title><p>It works.</p>\n`

/** A web server on loopback. */
interface WebSite {
  readonly port: number
  stop(): Promise<void>
}

/** Position of the device that has a web server. */
export const WEB_INDEX = FLEET.findIndex(({ name }) => name === WEB_DEVICE)

/** Starts the web server of web-1, whose certificate ends in four to five days. */
export function openWebSite(address: string, nowMs: number): WebSite {
  const tls = selfSigned(WEB_NAME, nowMs - AGE_MS, endOf(nowMs))
  const serve = (port: number) =>
    Bun.serve({
      hostname: address,
      port,
      tls,
      fetch: () => new Response(PAGE, { headers: { 'content-type': 'text/html' } }),
    })
  const server = free(() => serve(WEB_PORT)) ?? serve(0)
  return {
    port: server.port ?? WEB_PORT,
    stop: () => server.stop(true),
  }
}

/** Null: the port is in use. */
function free<T>(open: () => T): T | null {
  try {
    return open()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return null
    throw error
  }
}
