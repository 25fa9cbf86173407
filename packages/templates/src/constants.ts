import type { Value } from './value.ts'

/** Constants of PHP by lower-case name. */
export const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['php_eol', '\n'],
  ['php_int_max', Number.MAX_SAFE_INTEGER],
  ['m_pi', Math.PI],
  ['ent_quotes', 3],
  ['str_pad_left', 0],
  ['str_pad_right', 1],
  ['str_pad_both', 2],
  ['json_pretty_print', 128],
  ['json_unescaped_slashes', 64],
  ['json_unescaped_unicode', 256],
  ['sort_regular', 0],
  ['sort_numeric', 1],
  ['sort_string', 2],
  ['sort_natural', 6],
  ['sort_flag_case', 8],
  ['array_filter_use_key', 2],
  ['array_filter_use_both', 1],
  ['count_recursive', 1],
])
