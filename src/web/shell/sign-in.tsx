/** @jsxImportSource #jsx */
import type { Html } from '../jsx/jsx-runtime.ts'
import { Document, DoorCard, type Frame } from './layout.tsx'

/** The page that asks for the password or the second factor. `problem`: why the last attempt failed. */
export function SignIn({
  frame,
  host,
  step,
  to,
  username,
  problem,
  waitS,
  provider,
}: {
  readonly frame: Frame
  readonly host: string
  readonly step: 'password' | 'factor'
  readonly to: string
  readonly username: string
  readonly problem: string | null
  readonly waitS: number | null
  /**
   * The identity provider; null: none is configured. `only`: passwords are refused. `other`: the provider is asked to
   * let the user choose another account.
   */
  readonly provider: { readonly label: string; readonly only: boolean; readonly other: boolean } | null
}): Html {
  const isPassword = step === 'password'
  return (
    <Document frame={frame} title="Sign in">
      <DoorCard>
        <p class="dim">{host}</p>
        {problem === null ? null : (
          <div class="note bad" role="alert" id="problem">
            <div class="grow">
              {problem}
              {waitS === null ? '' : ` Wait ${waitS} s.`}
            </div>
          </div>
        )}
        {isPassword && provider !== null ? (
          <a class="btn first" href={`/sign-in/oidc?to=${encodeURIComponent(to)}${provider.other ? '&other=1' : ''}`}>
            {provider.label}
          </a>
        ) : null}
        {isPassword && provider?.only === true ? (
          <p class="sub">
            Password sign-in is disabled. If the provider is unavailable, an administrator can enable it on the server:{' '}
            <code>portlight config set auth.oidc.only false</code>.
          </p>
        ) : (
          <LocalForm step={step} to={to} username={username} problem={problem} second={provider !== null} />
        )}
      </DoorCard>
    </Document>
  )
}

/** Username and password, or the code. `second`: this is not the preferred way to sign in. */
function LocalForm({
  step,
  to,
  username,
  problem,
  second,
}: {
  readonly step: 'password' | 'factor'
  readonly to: string
  readonly username: string
  readonly problem: string | null
  readonly second: boolean
}): Html {
  const isPassword = step === 'password'
  return (
    <>
      <form class="stack" method="post" action={isPassword ? '/sign-in' : '/sign-in/code'}>
        <input type="hidden" name="to" value={to} />
        {isPassword ? (
          <PasswordFields username={username} problem={problem !== null} />
        ) : (
          <CodeField problem={problem !== null} />
        )}
        <button class={second && isPassword ? 'btn' : 'btn first'} type="submit">
          {second && isPassword ? 'Sign in with a password' : 'Sign in'}
        </button>
      </form>
      <p class="sub">
        {isPassword ? (
          <>
            First start? Sign in as <b>admin</b>; <code>portlight serve</code> printed the password to its terminal. To
            replace a lost password: <code>portlight user reset-password admin</code>.
          </>
        ) : (
          <>
            Enter the six digits from your authenticator app, or a recovery code. If you have neither, an administrator
            can remove the second factor.
          </>
        )}
      </p>
    </>
  )
}

function PasswordFields({ username, problem }: { readonly username: string; readonly problem: boolean }): Html {
  return (
    <>
      <div class="field">
        <label for="u">User</label>
        <input
          class="inp"
          id="u"
          name="username"
          value={username}
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          maxlength="255"
          required
          autofocus={username === ''}
          aria-describedby={problem ? 'problem' : null}
        />
      </div>
      <div class="field">
        <label for="p">Password</label>
        <input
          class="inp"
          id="p"
          name="password"
          type="password"
          autocomplete="current-password"
          maxlength="1024"
          required
          autofocus={username !== ''}
        />
      </div>
    </>
  )
}

function CodeField({ problem }: { readonly problem: boolean }): Html {
  return (
    <div class="field">
      <label for="c">Code</label>
      <input
        class="inp mono"
        id="c"
        name="code"
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck="false"
        maxlength="40"
        required
        autofocus
        aria-describedby={problem ? 'problem' : null}
      />
    </div>
  )
}
