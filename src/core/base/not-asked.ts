/**
 * Condition on devices `d`, as SQL: no poller of their remote site has asked them since they were added, so whether they
 * answer is unknown, although the column that LibreNMS has for it can only say that they do not.
 */
export const NOT_ASKED = `(d.status = 0 and d.status_reason = '' and d.last_polled is null
  and exists (select from remote_pollers rp where rp.poller_group = d.poller_group))`
