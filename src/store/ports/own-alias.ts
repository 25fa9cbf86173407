/** SQL for the alias of port `p`; null where the device repeats the name of the port, as many do for ports without one. */
export const OWN_ALIAS = `nullif(nullif(p."ifAlias", p."ifDescr"), p."ifName")`
