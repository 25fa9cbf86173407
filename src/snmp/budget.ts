/** How much walks may read. */
export interface BudgetLimits {
  /** Rows of one table. */
  readonly maxRows: number
  /** Octets of answers, all tables together. */
  readonly maxOctets: number
}

/** One table may take this part of all octets, so that an agent with one endless table is discovered all the same. */
const TABLE_SHARE = 1 / 4

/** What the walks of one job have read and may still read. An agent decides how long a walk is; this decides when it ends. */
export class Budget {
  private octets = 0
  private closed = false

  constructor(
    readonly limits: BudgetLimits,
    private readonly whole: Budget | null = null,
  ) {}

  /** The part of one table: it ends with the whole, or earlier. */
  forTable(): Budget {
    return new Budget({ ...this.limits, maxOctets: Math.ceil(this.limits.maxOctets * TABLE_SHARE) }, this)
  }

  /** The part of one of so many columns: the first column must leave room for the cells of its rows in the others. */
  forColumn(columns: number): Budget {
    return new Budget({ ...this.limits, maxOctets: Math.ceil(this.limits.maxOctets / columns) }, this)
  }

  /** Octets of answers so far. */
  get spent(): number {
    return this.octets
  }

  spend(octets: number): void {
    this.octets += octets
    this.whole?.spend(octets)
  }

  /** Ends every walk at its next answer: nobody wants to know any more. */
  close(): void {
    this.closed = true
  }

  /** Why walks must end; null: they may go on. */
  get over(): 'octets' | 'closed' | null {
    if (this.closed) return 'closed'
    return this.octets >= this.limits.maxOctets ? 'octets' : (this.whole?.over ?? null)
  }
}
