import { describe, expect, test } from 'bun:test'
import { evaluate } from '../../src/modules/loaded/fields.ts'

/** The text of a field whose column `X::name` contains `value`. */
function field(text: string, value: string): string {
  const column = (name: string) => (name === 'X::name' ? value : undefined)
  return evaluate(text, { index: '1', find: (name) => (name === text ? undefined : column(name)), column })
}

// results of the filters in PHP's template languages, written by hand from their documentation
const CASES: readonly (readonly [chain: string, value: string, expected: string])[] = [
  ['trim|upper', ' rack 7 ', 'RACK 7'],
  ["trim('#')", '##4#', '4'],
  ['lower|title', 'FAN tray ONE', 'Fan Tray One'],
  ['capitalize', 'fAN TRAY', 'Fan tray'],
  ['length', 'fan', '3'],
  ["replace('psu','$& power')", 'psu 1', '$& power 1'],
  ['slice(1,2)', 'abcd', 'bc'],
  ['slice(-2)', 'abcd', 'cd'],
  ["default('none')", '', 'none'],
  ["default('none')", '0', '0'],
  ['abs', '-4.5', '4.5'],
  ['round(2)', '1.005', '1.01'],
  ['round', '-2.5', '-3'],
  ['number_format', '1234567.5', '1,234,568'],
  ['number_format(2)', '1234.5', '1,234.50'],
  ["number_format(2,',','.')", '-1234567.891', '-1.234.567,89'],
  ["number_format(1,',','')", '1234.56', '1234,6'],
  ["number_format(0,'.','$&')", '1234', '1$&234'],
  ['number_format(2)', '1.005', '1.01'],
  ['number_format', '-0.4', '0'],
  ['number_format', 'no number', '0'],
  ['url_encode', "a b/c?d=é&e='~'", 'a%20b%2Fc%3Fd%3D%C3%A9%26e%3D%27~%27'],
  ['url_encode', '\ud800', '%EF%BF%BD'],
  ['escape', `<b>"R&D"</b> 'x'`, '&lt;b&gt;&quot;R&amp;D&quot;&lt;/b&gt; &#039;x&#039;'],
  ["escape('url')", 'a b', 'a%20b'],
  ['striptags', '<b>Rack</b> <a href="x">7</a>', 'Rack 7'],
  ['striptags', 'load < 5 and > 3', 'load < 5 and > 3'],
  ['striptags', 'fan <b', 'fan '],
  ['nl2br', 'one\r\ntwo', 'one<br />\r\ntwo'],
  ['json_encode', 'a/"b"\n\\é😀', String.raw`"a\/\"b\"\n\\\u00e9\ud83d\ude00"`],
  ['no_such_filter|upper', 'x', 'X'],
  ['constructor', 'x', 'x'],
]

describe('filters of a placeholder', () => {
  test.each(CASES)('%s of %j', (chain, value, expected) => {
    expect(field(`{{ X::name|${chain} }}`, value)).toBe(expected)
  })

  test('apply to columns of the row and parts of the index, not to names found elsewhere', () => {
    const row = { index: '12.abc', find: () => undefined, column: () => undefined }
    expect(evaluate('x {{ $subindex1|upper }}', row)).toBe('x ABC')
    const far = (name: string) => (name === 'X::far' ? 'far' : undefined)
    expect(evaluate('{{ X::far|upper }} here', { ...row, find: far })).toBe('far here')
  })
})
