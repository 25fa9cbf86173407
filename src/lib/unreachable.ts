/** Ends an exhaustive `switch`: does not compile while a case is missing, throws if data breaks the type at run time. */
export function unreachable(value: never): never {
  throw new Error(`unreachable case: ${JSON.stringify(value)}`)
}
