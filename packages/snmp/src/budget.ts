/** Limits on what walks may read. */
export interface BudgetLimits {
  /** Rows of one table. */
  readonly maxRows: number
  /** Octets of responses, all tables together. */
  readonly maxOctets: number
}

/** Share of the octets that one table may use, so an endless table does not prevent discovery of the others. */
const TABLE_SHARE = 1 / 4

/**
 * Counts what the walks of one job have read and ends them at the limits, because an agent can return endless tables.
 */
export class Budget {
  private octets = 0
  private closed = false

  constructor(
    readonly limits: BudgetLimits,
    private readonly whole: Budget | null = null,
  ) {}

  /** A budget for one table; what it uses also counts towards this one. */
  forTable(): Budget {
    return new Budget({ ...this.limits, maxOctets: Math.ceil(this.limits.maxOctets * TABLE_SHARE) }, this)
  }

  /** A budget for one of `columns` columns: the first must leave room for the same rows of the others. */
  forColumn(columns: number): Budget {
    return new Budget({ ...this.limits, maxOctets: Math.ceil(this.limits.maxOctets / columns) }, this)
  }

  /** Octets of responses so far. */
  get spent(): number {
    return this.octets
  }

  spend(octets: number): void {
    this.octets += octets
    this.whole?.spend(octets)
  }

  /** Ends every walk at its next response, because the result is no longer needed. */
  close(): void {
    this.closed = true
  }

  /** Why walks must end; null while they may continue. */
  get over(): 'octets' | 'closed' | null {
    if (this.closed) return 'closed'
    return this.octets >= this.limits.maxOctets ? 'octets' : (this.whole?.over ?? null)
  }
}
