/** `start`: read once, when the process starts. `live`: takes effect immediately in every process. */
export type SettingScope = 'start' | 'live'

export function text(d: string, about: string, scope: SettingScope) {
  return { type: 'text', default: d, about, scope } as const
}
const limits = (min?: number, max?: number) => ({
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
})

export function integer(d: number, about: string, scope: SettingScope, min?: number, max?: number) {
  return { type: 'integer', default: d, about, scope, ...limits(min, max) } as const
}
export function keepDays(what: string, retentionClass: string, byDefault: string) {
  return integer(
    0,
    `Days to keep ${what} of kinds with retention class ${retentionClass} (see /help/reference/data-model); 0: ${byDefault}.`,
    'live',
    0,
    36_500,
  )
}
export function number(d: number, about: string, scope: SettingScope, min?: number, max?: number) {
  return { type: 'number', default: d, about, scope, ...limits(min, max) } as const
}
export function bool(d: boolean, about: string, scope: SettingScope) {
  return { type: 'bool', default: d, about, scope } as const
}
export function choice<const C extends string>(d: C, choices: readonly C[], about: string, scope: SettingScope) {
  return { type: 'choice', default: d, choices, about, scope } as const
}
export function list(d: readonly string[], about: string, scope: SettingScope) {
  return { type: 'list', default: d, about, scope } as const
}
export function json(d: unknown, about: string, scope: SettingScope) {
  return { type: 'json', default: d, about, scope } as const
}
