/** @jsxImportSource #jsx */
import type { Html } from '../jsx/jsx-runtime.ts'

/**
 * Placeholder for a small chart of the last 24 hours, drawn by a script; the same information is next to it as numbers.
 */
export const Spark = ({ kind, id }: { readonly kind: string; readonly id: number }): Html => (
  <svg class="spark" viewBox="0 0 104 24" preserveAspectRatio="none" aria-hidden="true" data-spark={`${kind}:${id}`} />
)
