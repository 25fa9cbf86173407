/** SQL for the name of a device as people see it; `alias`: of table devices. */
export const deviceName = (alias: string): string => `coalesce(nullif(${alias}.display, ''), ${alias}.hostname)`

/** SQL for the name of a port; `alias`: of table ports. */
export const portName = (alias: string): string =>
  `coalesce(nullif(${alias}."ifName", ''), ${alias}."ifDescr", 'port ' || ${alias}.port_id)`
