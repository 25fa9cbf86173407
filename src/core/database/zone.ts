/** The time zone of local times: the server's. Safe inside SQL text, because the name comes from the runtime. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone
