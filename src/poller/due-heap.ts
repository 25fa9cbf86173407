/** Something that is due at a time; `at` belongs to the heap. */
export interface DueEntry {
  dueMs: number
  /** Position in the heap, -1 when it is not in it. */
  at: number
}

/** A binary heap: the entry that is due first is at its top. */
export class DueHeap<E extends DueEntry> {
  private readonly entries: E[] = []

  /** The entry that is due first. */
  get first(): E | undefined {
    return this.entries[0]
  }

  /** All entries, in no order. */
  all(): Iterable<E> {
    return this.entries
  }

  push(e: E): void {
    e.at = this.entries.length
    this.entries.push(e)
    this.rise(e.at)
  }

  /** Removes an entry, which may not be in the heap. Its `dueMs` must not have changed since `push`. */
  pull(e: E): void {
    const { entries } = this
    const i = e.at
    if (i < 0) return
    const last = entries.length - 1
    if (i !== last) this.swap(i, last)
    entries.pop()
    e.at = -1
    if (i < entries.length) {
      this.rise(i)
      this.sink(i)
    }
  }

  private swap(i: number, j: number): void {
    const { entries } = this
    const a = entries[i] as E
    const b = entries[j] as E
    entries[i] = b
    entries[j] = a
    b.at = i
    a.at = j
  }

  private rise(from: number): void {
    const { entries } = this
    let i = from
    while (i > 0) {
      const parent = (i - 1) >> 1
      if ((entries[parent] as E).dueMs <= (entries[i] as E).dueMs) return
      this.swap(i, parent)
      i = parent
    }
  }

  private sink(from: number): void {
    const { entries } = this
    let i = from
    for (;;) {
      const left = 2 * i + 1
      if (left >= entries.length) return
      const right = left + 1
      const child = right < entries.length && (entries[right] as E).dueMs < (entries[left] as E).dueMs ? right : left
      if ((entries[i] as E).dueMs <= (entries[child] as E).dueMs) return
      this.swap(i, child)
      i = child
    }
  }
}
