/** @jsxImportSource #jsx */
import { Button } from '../../components/form.tsx'
import { HELP } from '../../help/address.ts'
import { tasks } from '../../help/contents.ts'
import type { Child, Html } from '../../jsx/jsx-runtime.ts'

/** Search and contents beside a page of the documentation. `here` is the address of the page. */
export function HelpFrame({
  here,
  text = '',
  children,
}: {
  readonly here: string
  readonly text?: string
  readonly children: Child
}): Html {
  return (
    <div class="help">
      <form class="help-search" method="get" action={HELP} role="search">
        <input
          class="inp"
          type="search"
          name="q"
          value={text}
          aria-label="Search the help"
          placeholder="Search the help"
          maxlength="200"
        />
        <Button>Search</Button>
      </form>
      <nav class="help-nav" aria-label="Help">
        {tasks().map(({ name, pages }) => (
          <details open={pages.some(({ href }) => href === here)}>
            <summary>{name}</summary>
            <ul>
              {pages.map(({ label, href }) => (
                <li>
                  <a href={href} aria-current={href === here ? 'page' : null}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </nav>
      <article class="prose">{children}</article>
    </div>
  )
}
