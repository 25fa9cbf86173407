/** Units of time as in `-6h`, in seconds. Source: contract BEHAVIOUR.md 11. */
export const TIME_RANGES_S: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  mo: 2_592_000,
  y: 31_557_600,
}
