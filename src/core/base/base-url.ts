import type { Settings } from '../../config/schema.ts'

/** URL at which people reach this program, without a slash at its end (alert.graph_url); '': not set. */
export const baseUrl = (settings: Settings): string => settings.get('alert.graph_url').replace(/\/+$/, '')
