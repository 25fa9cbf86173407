/** The parts of an ifAlias of the form `Type: Descr {Circuit} [Speed] (Notes)`; all null if it has another form. */
export interface PortDescription {
  /** In lower case: cust, transit, peering, core, ... */
  readonly port_descr_type: string | null
  readonly port_descr_descr: string | null
  readonly port_descr_circuit: string | null
  readonly port_descr_speed: string | null
  readonly port_descr_notes: string | null
}

const NONE: PortDescription = {
  port_descr_type: null,
  port_descr_descr: null,
  port_descr_circuit: null,
  port_descr_speed: null,
  port_descr_notes: null,
}

/**
 * Parses a convention for interface descriptions that is common among network operators. The type ends at the first
 * colon or bracket, the description at the next. If either is missing, the ifAlias is plain text.
 */
export function portDescription(ifAlias: string): PortDescription {
  const [type = '', descr = ''] = ifAlias.split(/[:[\]{}()]/).map((part) => part.trim())
  if (type === '' || descr === '') return NONE
  return {
    port_descr_type: type.toLowerCase(),
    port_descr_descr: descr,
    port_descr_circuit: within('{', ifAlias, '}'),
    port_descr_speed: within('[', ifAlias, ']'),
    port_descr_notes: within('(', ifAlias, ')'),
  }
}

/** The text between the first opening bracket and the next closing one. */
function within(open: string, text: string, close: string): string | null {
  const from = text.indexOf(open)
  const to = text.indexOf(close, from)
  return from < 0 || to < 0 ? null : text.slice(from + 1, to).trim() || null
}
