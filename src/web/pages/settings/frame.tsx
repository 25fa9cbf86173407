/** @jsxImportSource #jsx */
import type { Child, Html } from '../../jsx/jsx-runtime.ts'

const PARTS = [
  ['/settings', 'Settings'],
  ['/settings/users', 'Users'],
  ['/settings/roles', 'Roles'],
  ['/settings/audit', 'Audit'],
  ['/about', 'About'],
] as const

/** Heading and tabs of the administration pages. */
export function Frame({
  title,
  here,
  lead,
  right,
  children,
}: {
  readonly title: string
  readonly here: (typeof PARTS)[number][0]
  readonly lead?: string
  readonly right?: Child
  readonly children?: Child
}): Html {
  return (
    <>
      <div class="head">
        <h1 dir="auto">{title}</h1>
        {right === undefined ? null : <div class="acts">{right}</div>}
        {lead === undefined ? null : <p>{lead}</p>}
      </div>
      <nav class="tabs" aria-label="Administration" tabindex="0">
        {PARTS.map(([href, label]) => (
          <a href={href} aria-current={href === here ? 'page' : null}>
            {label}
          </a>
        ))}
      </nav>
      {children}
    </>
  )
}
