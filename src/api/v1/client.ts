import type { ClientAddress } from '../client-address.ts'

const clients = new WeakMap<Request, () => ClientAddress>()

/** Keeps where a v1 request came from. */
export function setClient(request: Request, client: () => ClientAddress): void {
  clients.set(request, client)
}

/** Address of the client of a v1 request; '' when it is not known. */
export function clientOf(request: Request): string {
  return clients.get(request)?.().address ?? ''
}
