/** The time range of a page, as text. */
export interface PageRange {
  readonly from: string
  readonly to: string
}
