/** Collects the values of an option that may be repeated. */
export const repeated = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  text,
]
