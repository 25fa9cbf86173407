let last: Promise<unknown> = Promise.resolve()

/** Runs `work` after that of earlier calls: of two names of one device that are added at once, the second is refused. */
export function oneByOne<T>(work: () => Promise<T>): Promise<T> {
  const turn = last.then(work, work)
  last = turn
  return turn
}
