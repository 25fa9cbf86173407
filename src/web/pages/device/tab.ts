import type { DeviceRow } from '../../../domain/devices/service.ts'
import type { TabCounts } from '../../../domain/fleet/service.ts'
import type { Gate } from '../../../domain/gates.ts'
import type { Html } from '../../jsx/jsx-runtime.ts'
import type { Action, Visit } from '../../page.ts'

/** The device of a page. The actor may see it. */
export interface Subject {
  readonly deviceId: number
  readonly record: DeviceRow
  readonly counts: TabCounts
}

/** A tab of a device: `/device/{id}/{id of the tab}`; the summary has an empty id. */
export interface Tab {
  readonly id: string
  readonly label: string
  readonly gate: Gate
  /** Has charts. */
  readonly charts?: true
  /** The number beside the label; a tab whose number is 0 is absent. Without: always there, without a number. */
  readonly count?: (counts: TabCounts) => number
  readonly show: (visit: Visit, subject: Subject) => Promise<Html | Response>
  /** Forms by the value of their field `do`. They find the device by `visit.params`, and check access to it. */
  readonly actions?: Readonly<Record<string, Action>>
}

/** Joins the loader and the view of a tab. The view is pure. */
export function tab<D>({
  load,
  view,
  ...rest
}: Omit<Tab, 'show'> & {
  readonly load: (visit: Visit, subject: Subject) => Promise<D | Response>
  readonly view: (data: D, visit: Visit, subject: Subject) => Html
}): Tab {
  return {
    ...rest,
    async show(visit, subject) {
      const data = await load(visit, subject)
      return data instanceof Response ? data : view(data, visit, subject)
    },
  }
}
