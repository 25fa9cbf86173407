/** @jsxImportSource #jsx */
import type { Permission } from '../../../core/base/permissions.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { PageRequest } from '../../page.ts'
import { can } from '../../permissions.ts'

const TABS = [
  ['/found', 'Found', 'Device.create'],
  ['/scans', 'Scans', 'admin'],
  ['/found/rules', 'Rules', 'admin'],
] as const satisfies readonly (readonly [string, string, Permission])[]

/** Links to the pages about finding devices. */
export const FoundTabs = ({
  visit,
  here,
}: {
  readonly visit: PageRequest
  readonly here: (typeof TABS)[number][0]
}): Html => (
  <nav class="tabs" aria-label="Finding devices" tabindex="0">
    {TABS.filter(([, , gate]) => can(visit, gate)).map(([href, label]) => (
      <a href={href} aria-current={href === here ? 'page' : null}>
        {label}
      </a>
    ))}
  </nav>
)
