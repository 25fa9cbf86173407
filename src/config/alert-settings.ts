import { bool, choice, integer, list, text } from './kinds.ts'

/** Settings of alerts and their notifications. */
export const ALERT_SETTINGS = {
  'alert.tolerance_window': integer(
    5,
    'Seconds by which an alert may be early for the delay and interval of its rule.',
    'live',
    0,
    3600,
  ),
  'alert.round': integer(
    300,
    'Seconds between evaluations of all alert rules on all devices. Rules are also evaluated after each poll, and each minute if they depend on time or on what other programs store.',
    'live',
    10,
    86_400,
  ),
  'alert.flap_count': integer(
    5,
    'An alert that began this often within alert.flap_window flaps: its changes are notified when they have lasted for alert.flap_hold. 0: never.',
    'live',
    0,
    20,
  ),
  'alert.flap_window': integer(3600, 'Seconds in which beginnings of an alert are counted.', 'live', 60, 604_800),
  'alert.flap_hold': integer(
    900,
    'Seconds for which the state of a flapping alert must last to be notified.',
    'live',
    1,
    604_800,
  ),
  'alert.graph_url': text(
    '',
    'Address at which receivers of notifications reach this server, as https://monitor.example.net, for links to the device and graphs in templates (@signedGraphTag). Empty: no links, and graphs at http://listen:port.',
    'live',
  ),
  'alert.graph_days': integer(7, 'Days for which a signed URL of a graph is answered.', 'live', 1, 365),
  'alert.scheduled_maintenance_default_behavior': integer(
    1,
    'Default behavior of a maintenance window: 1 no alert checks, 2 no notifications, 3 alerts as usual.',
    'live',
    1,
    3,
  ),
  'alert.script_dirs': list(
    [],
    'Folders whose programs transports of kind script may run. Empty: they run none.',
    'live',
  ),
  'outgoing.allow': list(
    [],
    'Addresses and networks to which notifications, and requests to the OpenID Connect provider, may be sent although they are loopback, link-local, multicast, reserved, or metadata services of clouds.',
    'live',
  ),
  'outgoing.private': bool(
    true,
    'Notifications, and requests to the OpenID Connect provider, may be sent to private addresses (RFC 1918, 100.64.0.0/10, fc00::/7) not listed in outgoing.allow.',
    'live',
  ),
  email_from: text('', 'Sender of mail, for transports without one of their own.', 'live'),
  email_smtp_host: text('', 'SMTP server, for transports without one of their own.', 'live'),
  email_smtp_port: integer(25, 'Port of email_smtp_host.', 'live', 1, 65_535),
  email_smtp_secure: choice(
    'none',
    ['none', 'starttls', 'tls'],
    'Encryption of email_smtp_host: tls from the beginning, starttls (required), or none.',
    'live',
  ),
  email_smtp_username: text('', 'User at email_smtp_host. Empty: without authentication.', 'live'),
  email_smtp_password: text('', 'Password of email_smtp_username.', 'live'),
} as const
