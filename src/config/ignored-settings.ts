import { list } from './kinds.ts'

/** Settings that say which interfaces do not become ports, and which file systems are ignored. */
export const IGNORED_SETTINGS = {
  good_if: list(
    [],
    'Interfaces whose ifDescr contains one of these always become ports, despite the bad_* settings.',
    'live',
  ),
  bad_if: list(
    [
      'voip-null',
      'virtual-',
      'irtual',
      'unrouted',
      'eobc',
      'lp0',
      '-atm',
      'faith0',
      'container',
      'async',
      'plip',
      '-physical',
      'bluetooth',
      'isatap',
      'ras',
      'qos',
      'span rp',
      'span sp',
      'sslvpn',
      'pppoe-',
    ],
    'Interfaces whose ifDescr contains one of these do not become ports.',
    'live',
  ),
  bad_if_regexp: list(
    ['^ng[0-9]+', '^sl[0-9]'],
    'Interfaces whose ifDescr matches one of these do not become ports.',
    'live',
  ),
  bad_ifname_regexp: list([], 'Interfaces whose ifName matches one of these do not become ports.', 'live'),
  bad_ifalias_regexp: list([], 'Interfaces whose ifAlias matches one of these do not become ports.', 'live'),
  bad_ifoperstatus: list([], 'Interfaces whose ifOperStatus is one of these do not become ports.', 'live'),
  bad_iftype: list(
    ['voice', 'ds0', 'ds1', 'ds3', 'sonet', 'atmSubInterface', 'aal5', 'mpls'],
    'Interfaces whose ifType contains one of these do not become ports.',
    'live',
  ),
  ignore_mount: list([], 'File systems with one of these descriptions are ignored.', 'live'),
  ignore_mount_string: list([], 'File systems whose description contains one of these are ignored.', 'live'),
} as const
