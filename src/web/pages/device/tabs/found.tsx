/** @jsxImportSource #jsx */
import type { FoundKind } from '../../../../core/lists/network-service.ts'
import { CsvLink } from '../../../components/filters.tsx'
import type { FoundList } from '../../discovered/columns.tsx'
import { FOUND_LISTS } from '../../discovered/lists.tsx'
import { FindIn, type Listed, listed } from '../../discovered/table.tsx'
import { type Tab, tab } from '../tab.ts'

const foundTab = <K extends FoundKind>(list: FoundList<K>): Tab =>
  tab<Listed>({
    id: list.kind,
    label: list.label,
    gate: list.gate,
    count: (counts) => counts[list.kind],
    load: (visit, { deviceId }) => listed(visit, list, deviceId),
    view: ({ table }, { query }, { deviceId }) => (
      <>
        <div class="filters">
          <FindIn query={query} action={`/device/${deviceId}/${list.kind}`} />
          <CsvLink query={query} />
        </div>
        {table}
      </>
    ),
  })

/** A tab for each list of what discovery found that no other tab shows; those of which the device has nothing are not shown. */
export const foundTabs: readonly Tab[] = FOUND_LISTS.filter(({ tab: shown }) => shown === undefined).map((list) =>
  foundTab(list as FoundList<typeof list.kind>),
)
