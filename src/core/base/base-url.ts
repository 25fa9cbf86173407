import type { Settings } from '../../config/schema.ts'

/** The URL under which people open this server, without a slash at its end; '' if setting alert.graph_url is not set. */
export const baseUrl = (settings: Settings): string => settings.get('alert.graph_url').replace(/\/+$/, '')
