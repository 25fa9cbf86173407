/** Settings read by modules. */
export const MODULE_SETTINGS = [
  'good_if',
  'bad_if',
  'definitions.prefer',
  'bad_if_regexp',
  'bad_ifname_regexp',
  'bad_ifalias_regexp',
  'bad_ifoperstatus',
  'bad_iftype',
  'ignore_mount',
  'ignore_mount_string',
] as const
