/** @jsxImportSource #jsx */
import type { OpenAlertRow } from '../../../../core/alerts/alert-list.ts'
import { Alerts } from '../../../components/lists.tsx'
import { Card, Empty } from '../../../components/values.tsx'
import { tab } from '../tab.ts'

const MAX_ALERTS = 200

export const alertsTab = tab<readonly OpenAlertRow[]>({
  id: 'alerts',
  label: 'Alerts',
  gate: 'Alert.viewAny',
  count: ({ alerts }) => alerts,
  load: async ({ services, actor }, { deviceId }) => (await services.alertList.first(actor, deviceId, MAX_ALERTS)).rows,
  view: (rows, { nowMs }) => (
    <Card title="Open alerts" sub={rows.length}>
      {rows.length === 0 ? (
        <Empty title="No open alerts" help={['how-to/alerts', 'When alerts are raised']} />
      ) : (
        <Alerts rows={rows} nowMs={nowMs} device={false} />
      )}
    </Card>
  ),
})
