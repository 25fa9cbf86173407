import { integer, json } from './kinds.ts'

/** Settings of scans for devices. */
export const SCAN_SETTINGS = {
  'autodiscovery.rate': integer(
    500,
    'Datagrams that a scan sends per second at most: echo requests, SNMP requests and everything that is read from devices found.',
    'live',
    1,
    20_000,
  ),
  'autodiscovery.networks': json(
    {},
    'How single networks of nets are scanned: {"10.1.0.0/16": {"rate": 200, "poller_group": 2, "every_hours": 24, "port": 1161}}. rate: datagrams per second instead of autodiscovery.rate. poller_group: id of the poller group that its devices go to. every_hours: scanned again after so many hours; without it, only when asked. port: UDP port of its agents instead of snmp.port.',
    'live',
  ),
} as const
