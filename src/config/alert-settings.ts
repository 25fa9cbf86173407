import { bool, choice, integer, list, text } from './kinds.ts'

/** Settings of alerts and their notifications. */
export const ALERT_SETTINGS = {
  'alert.tolerance_window': integer(
    5,
    'Seconds by which a notification may be sent before the delay or interval of its rule is over.',
    'live',
    0,
    3600,
  ),
  'alert.step_duration': integer(
    300,
    'Seconds that a step of an operation takes if neither its segment nor the operation says so.',
    'live',
    10,
    604_800,
  ),
  'alert.round': integer(
    300,
    'Seconds between evaluations of all alert rules on all devices. Rules are also evaluated after each poll, and every minute if they depend on the time or on data stored by other programs.',
    'live',
    10,
    86_400,
  ),
  'alert.flap_count': integer(
    5,
    'How often an alert must begin within alert.flap_window to count as flapping. Changes of a flapping alert are notified only once they have lasted for alert.flap_hold. 0: no alert counts as flapping.',
    'live',
    0,
    20,
  ),
  'alert.flap_window': integer(
    3600,
    'Seconds over which the beginnings of an alert are counted for alert.flap_count.',
    'live',
    60,
    604_800,
  ),
  'alert.flap_hold': integer(
    900,
    'Seconds for which the state of a flapping alert must last before it is notified.',
    'live',
    1,
    604_800,
  ),
  'dependencies.compute': bool(
    true,
    'Compute the parents of devices from links, MAC address tables and ARP tables, as seen from their pollers. Parents set by hand always apply instead.',
    'live',
  ),
  'dependencies.attached': list(
    [],
    'Devices that the pollers are attached to, by name or id, if that is not found from their addresses and default gateways. core-1@2 applies to the pollers of poller group 2 only. Without it, and if nothing is found, no parents are computed.',
    'live',
  ),
  'dependencies.wait': integer(
    30,
    'Seconds for which alerts of a device that stopped answering wait until its parents have answered or failed to, and for which those of a device behind a parent that is back wait for the device. 0: they do not wait.',
    'live',
    0,
    600,
  ),
  'alert.graph_url': text(
    '',
    'URL at which recipients of notifications reach this server, for example https://monitor.example.net. It is used for links to the device and for graphs in templates (@signedGraphTag). Empty: no links, and graphs at http://listen:port.',
    'live',
  ),
  'alert.graph_days': integer(7, 'Days for which a signed graph URL is valid.', 'live', 1, 365),
  'alert.scheduled_maintenance_default_behavior': integer(
    1,
    'Default behavior of a maintenance window: 1 no alert checks, 2 no notifications, 3 alerts as usual.',
    'live',
    1,
    3,
  ),
  'alert.script_dirs': list(
    [],
    'Folders with programs that transports of kind script may run. Empty: they may run none.',
    'live',
  ),
  'outgoing.allow': list(
    [],
    'Addresses and networks to which notifications and requests to the OpenID Connect provider may be sent even if they are loopback, link-local, multicast, reserved, or cloud metadata services.',
    'live',
  ),
  'outgoing.private': bool(
    true,
    'Whether notifications and requests to the OpenID Connect provider may be sent to private addresses (RFC 1918, 100.64.0.0/10, fc00::/7) that are not listed in outgoing.allow.',
    'live',
  ),
  email_from: text('', 'Sender address of mail, for transports without one of their own.', 'live'),
  email_smtp_host: text('', 'SMTP server, for transports without one of their own.', 'live'),
  email_smtp_port: integer(25, 'Port of email_smtp_host.', 'live', 1, 65_535),
  email_smtp_secure: choice(
    'none',
    ['none', 'starttls', 'tls'],
    'Encryption for email_smtp_host: tls (implicit TLS), starttls (required) or none.',
    'live',
  ),
  email_smtp_username: text('', 'User name at email_smtp_host. Empty: no authentication.', 'live'),
  email_smtp_password: text('', 'Password of email_smtp_username.', 'live'),
} as const
