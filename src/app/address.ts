import { ServingError } from './errors.ts'

/**
 * Throws ServingError if the API cannot listen there. Checked before anything is created, so that a start that cannot
 * succeed leaves nothing behind. The address is free again afterwards.
 */
export async function requireFreeAddress(hostname: string, port: number): Promise<void> {
  const place = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
  try {
    const probe = Bun.serve({ hostname, port, fetch: () => new Response(null, { status: 503 }) })
    await probe.stop(true)
  } catch (cause) {
    throw new ServingError(refusal(cause, place, hostname), { cause })
  }
}

function refusal(error: unknown, place: string, hostname: string): string {
  switch (error instanceof Error && 'code' in error ? error.code : '') {
    case 'EADDRINUSE':
      return `${place} is in use by another program: stop it, or choose another --port`
    case 'EACCES':
      return `this user may not listen at ${place}: choose a --port of 1024 or more`
    case 'EADDRNOTAVAIL':
      return `this machine does not have the address ${hostname}: choose another --listen`
    default:
      return `cannot listen at ${place} (${error instanceof Error ? error.message : String(error)}): choose another --listen`
  }
}
