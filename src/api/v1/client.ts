import type { ClientAddress } from '../client-address.ts'
import { NO_OPERATION } from '../request-times.ts'

interface V1Facts {
  readonly client: () => ClientAddress
  operation: string
}

const facts = new WeakMap<Request, V1Facts>()

/** Stores the client address of a v1 request. */
export function setClient(request: Request, client: () => ClientAddress): void {
  facts.set(request, { client, operation: NO_OPERATION })
}

/** Client address of a v1 request; '' if unknown. */
export function clientOf(request: Request): string {
  return facts.get(request)?.client().address ?? ''
}

/** Keeps the operationId of a v1 request. */
export function setV1Operation(request: Request, id: string): void {
  const known = facts.get(request)
  if (known !== undefined) known.operation = id
}

/** operationId of a v1 request; NO_OPERATION for one that did not get that far. */
export function v1OperationOf(request: Request): string {
  return facts.get(request)?.operation ?? NO_OPERATION
}
