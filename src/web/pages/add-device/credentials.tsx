/** @jsxImportSource #jsx */
import { Choice, Field, same } from '../../components/form.tsx'
import type { Html } from '../../jsx/jsx-runtime.ts'

export const LEVELS = ['noAuthNoPriv', 'authNoPriv', 'authPriv'] as const
export const AUTH_ALGORITHMS = ['SHA', 'MD5', 'SHA-224', 'SHA-256', 'SHA-384', 'SHA-512'] as const
export const CIPHERS = ['AES', 'DES', 'AES-192', 'AES-256', 'AES-192-C', 'AES-256-C'] as const

/** Fields of SNMPv3 credentials. Passwords are never filled in. */
export function V3Fields({
  level,
  user,
  auth,
  cipher,
  secret,
}: {
  readonly level: string
  readonly user: string
  readonly auth: string
  readonly cipher: string
  /** Placeholders of the password fields, which say whether a password is stored. */
  readonly secret: { readonly auth: string; readonly priv: string }
}): Html {
  return (
    <>
      <div class="line">
        <Field id="authname" label="User" value={user} />
        <Choice id="authlevel" label="Security level" value={level} options={same(LEVELS)} />
      </div>
      <div class="line">
        <Field id="authpass" label="Authentication password" type="password" placeholder={secret.auth} />
        <Choice id="authalgo" label="Algorithm" value={auth} options={same(AUTH_ALGORITHMS)} />
      </div>
      <div class="line">
        <Field id="cryptopass" label="Privacy password" type="password" placeholder={secret.priv} />
        <Choice id="cryptoalgo" label="Cipher" value={cipher} options={same(CIPHERS)} />
      </div>
    </>
  )
}
