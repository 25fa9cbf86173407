import { bool, choice, json, text } from './kinds.ts'

/** Settings of sign-in by OpenID Connect. Off while `auth.oidc.issuer` is empty. */
export const OIDC_SETTINGS = {
  'auth.oidc.issuer': text(
    '',
    'OpenID Connect provider for signing in to the pages: its issuer, as https://sso.example.net/realms/main. Empty: off.',
    'live',
  ),
  'auth.oidc.client_id': text('', 'Client ID of Portlight at the OpenID Connect provider.', 'live'),
  'auth.oidc.client_secret': text(
    '',
    'Client secret at the provider. Empty: a public client, with PKCE alone.',
    'live',
  ),
  'auth.oidc.scopes': text('openid profile email', 'Scopes asked for, separated by spaces.', 'live'),
  'auth.oidc.label': text('Single sign-on', 'Text of the button on the sign-in page.', 'live'),
  'auth.oidc.username_claim': text('preferred_username', 'Claim with the name of a new user.', 'live'),
  'auth.oidc.roles_claim': text(
    '',
    'Claim with groups or roles: its name, or a path with dots as realm_access.roles. The roles that auth.oidc.roles makes of it replace those of the user at every sign-in. Empty: roles are given here, and the provider changes none.',
    'live',
  ),
  'auth.oidc.roles': json(
    {},
    'Roles by value of auth.oidc.roles_claim: {"noc": "admin", "staff": ["user", "my-role"]}. Values are compared exactly.',
    'live',
  ),
  'auth.oidc.default_role': text('', 'Role of users for whom no other results. Empty: they are refused.', 'live'),
  'auth.oidc.create_users': bool(
    true,
    'Create a user at the first sign-in. Off: only users linked with `portlight user link`, or by auth.oidc.link_by.',
    'live',
  ),
  'auth.oidc.link_by': choice(
    'none',
    ['none', 'username', 'email_verified'],
    'Existing users that a first sign-in takes over: none; the one of the same name (only if nobody chooses their own name at the provider); or the only one with the same mail address, if the provider has verified it.',
    'live',
  ),
  'auth.oidc.only': bool(
    false,
    'Refuse passwords on the pages while auth.oidc.issuer is set. The way back: `portlight config set auth.oidc.only false` on the server.',
    'live',
  ),
} as const
