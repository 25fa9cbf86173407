/**
 * Organisations that make mostly switches, routers, access points, firewalls and power supplies that speak SNMP: the
 * first words of their names in the IEEE registry. Manufacturers of computers and phones are left out,
 * even if they make switches too.
 */
export const NETWORK_MANUFACTURERS = [
  ...['a10 networks', 'accedian networks', 'adtran', 'adva optical', 'alaxala networks', 'alcatel-lucent'],
  ...['allied telesis', 'alpha networks', 'american power conversion', 'apc', 'arista', 'avaya', 'barracuda networks'],
  ...['brocade communications', 'calix', 'cambium networks', 'casa systems', 'check point software', 'ciena', 'cisco'],
  ...['citrix systems', 'cumulus networks', 'd-link', 'dasan networks', 'draytek', 'eaton', 'edgecore', 'ekinops'],
  ...[
    'eltex enterprise',
    'engenius',
    'enterasys',
    'ericsson',
    'extreme networks',
    'f5',
    'fiberhome',
    'force10 networks',
  ],
  ...['fortinet', 'fs com', 'h3c', 'hangzhou h3c', 'hewlett packard enterprise', 'hirschmann automation', 'huawei'],
  ...['infinera', 'juniper networks', 'lancom', 'lantronix', 'linksys', 'mimosa', 'mist systems', 'moxa', 'netgear'],
  ...['netonix', 'new h3c', 'nokia solutions', 'nortel', 'opengear', 'palo alto networks', 'pepwave', 'perle systems'],
  ...['planet technology', 'proxim wireless', 'rad data', 'radware', 'radwin', 'raisecom', 'raritan', 'red lion'],
  ...['riverbed', 'routerboard', 'ruckus', 'ruggedcom', 'ruijie', 'server technology', 'siemens ag', 'sierra wireless'],
  ...['silver peak', 'sonicwall', 'sophos', 'stulz', 'teldat', 'teltonika', 'timetra', 'tp-link', 'trapeze networks'],
  ...['ubiquiti', 'vertiv', 'viprinet', 'watchguard', 'westermo', 'xirrus', 'zhone', 'zte', 'zyxel'],
] as const

/** Whether an organisation of the IEEE registry makes mostly network equipment. */
export function makesNetworkEquipment(manufacturer: string): boolean {
  const name = manufacturer.toLowerCase()
  return NETWORK_MANUFACTURERS.some(
    (words) => name.startsWith(words) && !/^[\p{L}\p{N}]/u.test(name.slice(words.length)),
  )
}
