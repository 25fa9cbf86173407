import { localTime } from './forms.ts'

/** The ports of bill `b`. */
export const BILL_PORTS = `coalesce((select json_agg(json_build_object('device_id', p.device_id, 'port_id', p.port_id, 'ifName', p."ifName")
    order by p.port_id) from bill_ports x join ports p using (port_id) where x.bill_id = b.bill_id), '[]') as ports`
/** Columns that do not change from period to period, over `b`. */
export const BILL_KEPT = `b.bill_autoadded, coalesce(b.bill_cdr, 0) as bill_cdr, b.bill_custid, b.bill_day, b.bill_name, b.bill_notes,
  coalesce(b.bill_quota, 0) as bill_quota, b.bill_ref`
/** The figures of a period, over `h`; times are local, percentages decimal text. */
export const BILL_HISTORY = `h.bill_hist_id, h.bill_id, ${localTime('h.updated')} as updated,
  ${localTime('h.bill_datefrom')} as bill_datefrom, ${localTime('h.bill_dateto')} as bill_dateto,
  h.bill_type, h.bill_allowed, h.bill_used, h.bill_overuse, h.bill_percent::text as bill_percent, h.rate_95th_in,
  h.rate_95th_out, h.rate_95th, h.dir_95th, h.rate_average, h.rate_average_in, h.rate_average_out, h.traf_in, h.traf_out,
  h.traf_total, h.bill_peak_out, h.bill_peak_in, h.pdf`

/** When the figures were computed: of the current period of `b`, or of the finished period `h`. */
export const BILL_CALCULATED = `${localTime('b.bill_last_calc')} as bill_last_calc`
export const PERIOD_CALCULATED = `${localTime('h.updated')} as bill_last_calc`
