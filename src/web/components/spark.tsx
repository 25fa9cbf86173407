/** @jsxImportSource #jsx */
import type { Html } from '../jsx/jsx-runtime.ts'

/** The place of a small chart of the last 24 hours, which scripts draw; the numbers beside it say the same. */
export const Spark = ({ kind, id }: { readonly kind: string; readonly id: number }): Html => (
  <svg class="spark" viewBox="0 0 104 24" preserveAspectRatio="none" aria-hidden="true" data-spark={`${kind}:${id}`} />
)
