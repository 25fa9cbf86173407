/** @jsxImportSource #jsx */
import type { Html } from '../jsx/jsx-runtime.ts'
import { Brand, Document, type Frame } from './layout.tsx'

/** The page that asks who one is, or for the second factor. `problem`: what was wrong with the last try. */
export function SignIn({
  frame,
  host,
  step,
  to,
  username,
  problem,
  waitS,
}: {
  readonly frame: Frame
  readonly host: string
  readonly step: 'password' | 'factor'
  readonly to: string
  readonly username: string
  readonly problem: string | null
  readonly waitS: number | null
}): Html {
  return (
    <Document frame={frame} title="Sign in">
      <main class="door" id="main">
        <div class="card">
          <h1 class="brand">
            <Brand />
            Portlight
          </h1>
          <p class="dim">{host}</p>
          {problem === null ? null : (
            <div class="note bad" role="alert" id="problem">
              <div class="grow">
                {problem}
                {waitS === null ? '' : ` Wait ${waitS} s.`}
              </div>
            </div>
          )}
          <form class="stack" method="post" action={step === 'password' ? '/sign-in' : '/sign-in/code'}>
            <input type="hidden" name="to" value={to} />
            {step === 'password' ? (
              <PasswordFields username={username} problem={problem !== null} />
            ) : (
              <CodeField problem={problem !== null} />
            )}
            <button class="btn first" type="submit">
              Sign in
            </button>
          </form>
          <p class="sub">
            {step === 'password' ? (
              <>
                First start? The user is <b>admin</b>; its password is in the terminal in which{' '}
                <code>portlight serve</code> began. Lost it: <code>portlight user reset-password admin</code>.
              </>
            ) : (
              <>
                The six digits of the authenticator, or one of the recovery codes. Neither at hand: an administrator
                removes the second factor.
              </>
            )}
          </p>
        </div>
      </main>
    </Document>
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
