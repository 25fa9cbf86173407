/** Ends an exhaustive `switch`: it does not compile while a case is missing, and throws if data violates the type. */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${JSON.stringify(value)}`)
}
