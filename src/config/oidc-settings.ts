import { bool, choice, json, text } from './kinds.ts'

/** Settings of sign-in with OpenID Connect, which is off while `auth.oidc.issuer` is empty. */
export const OIDC_SETTINGS = {
  'auth.oidc.issuer': text(
    '',
    'Issuer URL of the OpenID Connect provider for signing in to the pages, for example https://sso.example.net/realms/main. Empty: off.',
    'live',
  ),
  'auth.oidc.client_id': text('', 'Client ID of Portlight at the OpenID Connect provider.', 'live'),
  'auth.oidc.client_secret': text(
    '',
    'Client secret at the provider. Empty: Portlight is a public client, secured by PKCE only.',
    'live',
  ),
  'auth.oidc.scopes': text('openid profile email', 'Scopes to request, separated by spaces.', 'live'),
  'auth.oidc.label': text('Single sign-on', 'Label of the button on the sign-in page.', 'live'),
  'auth.oidc.username_claim': text('preferred_username', 'Claim that contains the name of a new user.', 'live'),
  'auth.oidc.roles_claim': text(
    '',
    "Claim that contains groups or roles: its name, or a dotted path such as realm_access.roles. auth.oidc.roles translates its values to roles, which replace the user's roles at every sign-in. Empty: roles are assigned only in Portlight.",
    'live',
  ),
  'auth.oidc.roles': json(
    {},
    'Roles for each value of auth.oidc.roles_claim: {"noc": "admin", "staff": ["user", "my-role"]}. Values are case-sensitive.',
    'live',
  ),
  'auth.oidc.default_role': text(
    '',
    'Role of users to whom auth.oidc.roles gives none. Empty: they cannot sign in.',
    'live',
  ),
  'auth.oidc.create_users': bool(
    true,
    'Create a user at the first sign-in. Off: only users linked with `portlight user link` or by auth.oidc.link_by can sign in.',
    'live',
  ),
  'auth.oidc.link_by': choice(
    'none',
    ['none', 'username', 'email_verified'],
    'Which existing user a first sign-in is linked to: none; username, the user of the same name (only safe if people cannot choose their own names at the provider); or email_verified, the only user with the same mail address, if the provider has verified it.',
    'live',
  ),
  'auth.oidc.only': bool(
    false,
    'Refuse passwords on the sign-in page while auth.oidc.issuer is set. To undo this, run `portlight config set auth.oidc.only false` on the server.',
    'live',
  ),
} as const
