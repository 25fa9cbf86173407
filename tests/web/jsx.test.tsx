/** @jsxImportSource #jsx */
import { expect, test } from 'bun:test'
import { plain } from '../../src/web/components/values.tsx'

const text = `<b>&"'`

test('text and attributes are escaped', () => {
  expect((<p title={text}>{text}</p>).text).toBe('<p title="&lt;b&gt;&amp;&quot;&#x27;">&lt;b&gt;&amp;&quot;&#x27;</p>')
  expect((<p>{[text, [1, null, false, true, undefined]]}</p>).text).toBe('<p>&lt;b&gt;&amp;&quot;&#x27;1</p>')
})

test('URLs that run scripts are left out', () => {
  for (const href of ['javascript:alert(1)', ' javascript:alert(1)', 'JaVaScRiPt:x', 'data:text/html,x', 'vbscript:x'])
    expect((<a href={href}>x</a>).text).toBe('<a>x</a>')
  for (const href of ['/device/1', '?page=2', '#main', 'https://example.net'])
    expect((<a href={href}>x</a>).text).toBe(`<a href="${href}">x</a>`)
})

test('control characters from devices are made visible', () => {
  expect(plain('a\u0007b\u202ec\nd')).toBe('a·b·c\nd')
})
