import { bool, choice, integer, list, text } from './kinds.ts'

/** Settings of finding devices: where neighbours are looked for, what is left alone, and what becomes of what is found. */
export const FINDING_SETTINGS = {
  'autodiscovery.add': choice(
    'auto',
    ['auto', 'ask', 'at_once'],
    'What becomes of a found device that answers SNMP and that no rule decides about. ask: it waits on page Found. at_once: it is added. auto: it is added if autodiscovery.xdp, .ospf, .ospfv3 or .bgp was set to true, by a person or an import from LibreNMS; otherwise it waits.',
    'live',
  ),
  'autodiscovery.nets-exclude': list(
    [],
    'Networks in nets in which nothing is asked or added by itself, for example 10.0.9.0/24.',
    'live',
  ),
  'autodiscovery.ping_fallback': bool(
    false,
    'Offer hosts that a scan found answering ping, but not SNMP, as devices to be watched by ping. Off: they are counted and listed by the scan only.',
    'live',
  ),
  'autodiscovery.xdp': bool(true, 'Ask the neighbours that devices report by LLDP, CDP, FDP and EDP.', 'live'),
  'autodiscovery.ospf': bool(true, 'Ask OSPF neighbours.', 'live'),
  'autodiscovery.ospfv3': bool(true, 'Ask OSPFv3 neighbours.', 'live'),
  'autodiscovery.isis': bool(true, 'Ask IS-IS neighbours.', 'live'),
  'autodiscovery.bgp': bool(true, 'Ask BGP neighbours.', 'live'),
  'autodiscovery.fdb': bool(
    true,
    'Ask hosts on switch ports whose MAC address belongs to a manufacturer of network equipment, at the IP address that the ARP or IPv6 neighbour tables of monitored devices show for it.',
    'live',
  ),
  'autodiscovery.interval': integer(
    3600,
    'Seconds between rounds in which neighbours of devices are asked. Neighbours that new discoveries report are asked sooner. 0: none are asked.',
    'live',
    0,
    604_800,
  ),
  'autodiscovery.again': integer(
    86_400,
    'Seconds after which a neighbour that was asked is asked again.',
    'live',
    60,
    2_592_000,
  ),
  'autodiscovery.xdp_exclude.sysname_regexp': list(
    [],
    "Neighbours by LLDP, CDP, FDP or EDP whose name matches one of these are left alone. Linear regular expressions; PHP's delimiters are accepted: /^phone-/i.",
    'live',
  ),
  'autodiscovery.xdp_exclude.sysdescr_regexp': list(
    ['/-K9W8-/'],
    'Neighbours by LLDP, CDP, FDP or EDP whose description matches one of these are left alone.',
    'live',
  ),
  'autodiscovery.cdp_exclude.platform_regexp': list(
    ['/^Cisco IP Phone/'],
    'Neighbours by CDP whose platform matches one of these are left alone.',
    'live',
  ),
  discovery_by_ip: bool(
    false,
    'Add a found device by its address if it has no name in the DNS. Off: such a device is added only by a rule or by a person.',
    'live',
  ),
  mydomain: text('', 'Domain appended to the name of a found device that has none, for example example.net.', 'live'),
  default_poller_group: integer(0, 'Poller group of found devices without another one.', 'live', 0, 2_147_483_647),
  candidates_purge: integer(
    90,
    'Days to keep found devices that were not seen again and are not monitored, except ignored ones; 0: forever.',
    'live',
    0,
    36_500,
  ),
} as const

/** Kinds of neighbours that are asked. That one was set to true says that found devices are added at once. */
export const FINDING_SWITCHES = [
  'autodiscovery.xdp',
  'autodiscovery.ospf',
  'autodiscovery.ospfv3',
  'autodiscovery.bgp',
] as const
