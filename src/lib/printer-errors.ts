/** A condition of hrPrinterDetectedErrorState, by its bit: the first bit is the highest of the first octet. */
interface Condition {
  readonly text: string
  readonly critical: boolean
}

const WARNING = (text: string): Condition => ({ text, critical: false })
const CRITICAL = (text: string): Condition => ({ text, critical: true })

/** HOST-RESOURCES-MIB::hrPrinterDetectedErrorState (RFC 2790), in the order of its bits. */
export const PRINTER_CONDITIONS: readonly Condition[] = [
  WARNING('Paper low'),
  CRITICAL('No paper'),
  WARNING('Toner low'),
  CRITICAL('No toner'),
  CRITICAL('Door open'),
  CRITICAL('Jammed'),
  CRITICAL('Offline'),
  CRITICAL('Service requested'),
  WARNING('Input tray missing'),
  WARNING('Output tray missing'),
  CRITICAL('Marker supply missing'),
  WARNING('Output near full'),
  CRITICAL('Output full'),
  WARNING('Input tray empty'),
  WARNING('Preventive maintenance overdue'),
]

/** Values of the state: 0 for none; 1 to 8 for one of the conditions of the first octet; then these. */
export const [SEVERAL_WARNINGS, SEVERAL_CRITICAL, FIRST_OF_SECOND] = [9, 10, 11] as const

/** The state for one condition, by its bit. */
export const conditionValue = (bit: number): number => (bit < 8 ? bit + 1 : FIRST_OF_SECOND + bit - 8)

/**
 * The state that octets stand for, given as a text with one character for each octet: 0 without a condition, the
 * condition if there is one, else whether any of several is critical. Bits that the MIB does not have are ignored.
 */
export function printerErrors(text: string): number {
  const bits = PRINTER_CONDITIONS.map((_, bit) => bit).filter(
    (bit) => ((text.charCodeAt(bit >> 3) || 0) & (0x80 >> (bit & 7))) !== 0,
  )
  const [first, second] = bits
  if (first === undefined) return 0
  if (second === undefined) return conditionValue(first)
  return bits.some((bit) => PRINTER_CONDITIONS[bit]?.critical) ? SEVERAL_CRITICAL : SEVERAL_WARNINGS
}
