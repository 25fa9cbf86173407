/** What an ifAlias in the form `Type: Descr {Circuit} [Speed] (Notes)` says; all null when it has no such form. */
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
 * Takes the convention apart in which network operators write interface descriptions. The type ends at the first colon
 * or bracket, the description at the next; without one of the two it is a plain text.
 */
export function portDescription(ifAlias: string): PortDescription {
  const [type = '', descr = ''] = ifAlias.split(/[:[\]{}()]/).map((part) => part.trim())
  if (type === '' || descr === '') return NONE
  return {
    port_descr_type: type.toLowerCase(),
    port_descr_descr: descr,
    port_descr_circuit: within(/\{([^}]*)\}/, ifAlias),
    port_descr_speed: within(/\[([^\]]*)\]/, ifAlias),
    port_descr_notes: within(/\(([^)]*)\)/, ifAlias),
  }
}

function within(brackets: RegExp, text: string): string | null {
  return brackets.exec(text)?.[1]?.trim() || null
}
