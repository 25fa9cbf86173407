/**
 * SQL for the alias of port `p`; null if it repeats the port's name, which many devices report for ports without one.
 */
export const OWN_ALIAS = `nullif(nullif(p."ifAlias", p."ifDescr"), p."ifName")`
