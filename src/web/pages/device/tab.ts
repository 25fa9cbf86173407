import type { Permission } from '../../../core/base/permissions.ts'
import type { DeviceFamily } from '../../../core/dependencies/parents.ts'
import type { DeviceRow } from '../../../core/devices/service.ts'
import type { TabCounts } from '../../../core/lists/service.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Action, PageRequest } from '../../page.ts'

/** The device of a page, to which the actor has access. */
export interface Subject {
  readonly deviceId: number
  readonly record: DeviceRow
  readonly counts: TabCounts
  readonly family: DeviceFamily
}

/** A tab of a device's page: `/device/{device id}/{tab id}`; the summary has an empty id. */
export interface Tab {
  readonly id: string
  readonly label: string
  readonly gate: Permission
  /** As of a page. */
  readonly also?: readonly Permission[]
  /** Whether the tab has charts. */
  readonly charts?: true
  /**
   * The count next to the label, of what the actor may see; a tab whose count is 0 is not shown. Absent: always shown,
   * without a count.
   */
  readonly count?: (counts: TabCounts, may: (gate: Permission) => boolean) => number
  readonly show: (visit: PageRequest, subject: Subject) => Promise<Html | Response>
  /** Forms by the value of their field `do`. They look up the device in `visit.params` and check access to it. */
  readonly actions?: Readonly<Record<string, Action>>
}

/** Combines the loader and the view of a tab. The view is pure. */
export function tab<D>({
  load,
  view,
  ...rest
}: Omit<Tab, 'show'> & {
  readonly load: (visit: PageRequest, subject: Subject) => Promise<D | Response>
  readonly view: (data: D, visit: PageRequest, subject: Subject) => Html
}): Tab {
  return {
    ...rest,
    async show(visit, subject) {
      const data = await load(visit, subject)
      return data instanceof Response ? data : view(data, visit, subject)
    },
  }
}
