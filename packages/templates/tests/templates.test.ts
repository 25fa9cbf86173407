import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { CHANGING } from '../src/changing.ts'
import { FUNCTIONS } from '../src/functions.ts'
import { isHtml, textOfHtml } from '../src/html.ts'
import { parseTemplate } from '../src/parse.ts'
import { type RenderOptions, renderTemplate } from '../src/render.ts'

const alert = {
  title: 'Alert: sw1: Port down',
  hostname: 'sw1',
  state: 1,
  severity: 'critical',
  uptime: 90_061,
  location: null,
  notes: '<b>"Rack" & \'5\'</b>',
  empty: '',
  zero: '0',
  faults: {
    '1': { ifName: 'Gi0/1', ifSpeed: 1e9, string: 'ifName = Gi0/1' },
    '2': { ifName: 'Gi0/2', ifSpeed: 1e8, string: 'ifName = Gi0/2' },
  },
  contacts: { 'noc@example.net': 'NOC' },
  list: [3, 1, 2],
  none: [],
}
const NOW = Date.parse('2026-08-01T10:20:30.250Z')

function render(text: string, options: Partial<RenderOptions> = {}): string {
  const read = parseTemplate(text)
  if (read.kind === 'fault') throw new Error(`${read.line}:${read.column} ${read.message}`)
  const result = renderTemplate(read, { alert }, { output: 'text', now: NOW, ...options })
  return result.kind === 'rendered' ? result.text : `fault ${result.line}:${result.column} ${result.message}`
}

describe('text and directives', () => {
  test.each([
    ['', ''],
    ['plain text, a@example.net @here @channel', 'plain text, a@example.net @here @channel'],
    ['@@if is text, @{{ $x }} too, @{!! y !!}', '@if is text, {{ $x }} too, {!! y !!}'],
    ['a{{-- @if {{ --}}b', 'ab'],
    ['{{ $alert->title }}!', 'Alert: sw1: Port down!'],
    ['{{ $alert->title; }}', 'Alert: sw1: Port down'],
    ['{!! $alert->hostname !!}', 'sw1'],
    ['@if ($alert->state == 0) up @elseif($alert->state == 1) down @else other @endif', ' down '],
    ['@if (false)\na\n@else\nb\n@endif\nc', 'b\nc'],
    ['@if (true)\r\na\r\n@endif\r\nc', 'a\r\nc'],
    ['@unless ($alert->state == 0) x @else y @endunless', ' x '],
    ['@isset($alert->hostname, $alert->title)x!@endisset', 'x!'],
    ['@isset($alert->hostname, $alert->location)x!@else y!@endisset', ' y!'],
    ['@empty($alert->none)x!@endempty', 'x!'],
    [
      '@foreach ($alert->faults as $key => $value)\n#{{ $key }}: {{ $value["string"] }}\n@endforeach',
      '#1: ifName = Gi0/1\n#2: ifName = Gi0/2\n',
    ],
    ['@foreach ($alert->faults as $f){{ $f->ifName }}@if (!$loop->last), @endif @endforeach', 'Gi0/1,  Gi0/2 '],
    [
      '@foreach ($alert->list as $n){{ $loop->index }}{{ $loop->iteration }}{{ $loop->remaining }};@endforeach',
      '012;121;230;',
    ],
    ['@foreach ($alert->list as $n){{ $loop->even ? "e" : "o" }}{{ $loop->count }}@endforeach', 'o3e3o3'],
    [
      '@foreach ([1,2] as $a)@foreach ([1,2] as $b){{ $loop->depth }}{{ $loop->parent->iteration }} @endforeach @endforeach',
      '21 21  22 22  ',
    ],
    ['@foreach ($alert->contacts as $mail => $name){{ $name }} <{{ $mail }}>@endforeach', 'NOC <noc@example.net>'],
    ['@foreach ($alert->title as $x)x!@endforeach', ''],
    ['@forelse ($alert->none as $x) a @empty none @endforelse', ' none '],
    ['@forelse ($alert->list as $x){{ $x }}@empty none @endforelse', '312'],
    ['@forelse ($alert->list as $x)@empty($x)0!@endempty{{ $x }}@empty none @endforelse', '312'],
    ['@for ($i = 0; $i < 3; $i++){{ $i }}@endfor', '012'],
    ['@for ($i = 9; $i > 0; $i -= 4){{ $i }} @endfor', '9 5 1 '],
    ['@foreach ($alert->list as $n)@continue($n == 1){{ $n }}@endforeach', '32'],
    ['@foreach ($alert->list as $n)@if ($n == 1) @break @endif{{ $n }}@endforeach', '3 '],
    [
      '@foreach ($alert->list as $n)@switch($n)@case(1)one!@break @case(3)@continue @default?@endswitch @endforeach',
      'one! ? ',
    ],
    ['@switch($alert->state)\n@case(0)\nup\n@break\n@case(1)\ndown\n@break\n@default\n?\n@endswitch\nx', 'down\nx'],
    ['@switch(2)@case(2)a!@case(3)b!@break @case(4)c!@endswitch', 'a!b!'],
    ['@switch(9)@case(1)a!@endswitch', ''],
    ['@IF (true)x!@endIf', 'x!'],
    ['@if (true)x@endif @endif', 'x@endif '],
  ])('%j', (template, want) => {
    expect(render(template)).toBe(want)
  })

  test('values are escaped in HTML only', () => {
    const text = '{{ $alert->notes }} {!! $alert->notes !!}'
    expect(render(text)).toBe(`${alert.notes} ${alert.notes}`)
    const escaped = '&lt;b&gt;&quot;Rack&quot; &amp; &#039;5&#039;&lt;/b&gt;'
    expect(render(text, { output: 'html' })).toBe(`${escaped} ${alert.notes}`)
  })
})

test.each([
  ['$alert->faults[1]["ifName"]', 'Gi0/1'],
  ["$alert['faults'][2]->ifName", 'Gi0/2'],
  ['$alert?->location?->x', ''],
  ['$alert->{"host" . "name"}', 'sw1'],
  ['$alert->hostname[0]', 's'],
  ['$alert->constructor . $alert->__proto__ . $alert->faults->length', ''],
  ['$alert->location ?? "unknown"', 'unknown'],
  ['$alert->location ?? $alert->nothing ?? "x"', 'x'],
  ['$alert->empty ?: "blank"', 'blank'],
  ['$alert->state == 1 ? "down" : "up"', 'down'],
  ['false ? 1 : (true ? 2 : 3)', '2'],
  ['1 + 2 * 3 - 4 / 8 % 3', '7'],
  ['(1 + 2) * -3', '-9'],
  ['7 % 4 . "x"', '3x'],
  ['"a" . 1 + 2', 'a3'],
  ['10 / 4', '2.5'],
  ['0.1 + 0.2', '0.3'],
  ['1e3 . " " . 0x1f . " " . .5', '1000 31 0.5'],
  ['1.5e30', '1.5E+30'],
  ['"5 W" + 1', '6'],
  ['true . "-" . false . "-" . null', '1--'],
  ['[1]', 'Array'],
  ['1 == "1" && "1.0" == "1" && null == false && "abc" != 0', '1'],
  ['1 === "1" ? "y" : "n"', 'n'],
  ['"a" === "a" && [1, 2] === [1, 2] && [1] == ["1"] && [1] !== ["1"]', '1'],
  ['1 <> 2 and not_a', null],
  ['1 <=> 2', '-1'],
  ['"b" > "a" && "10" > "9" && 2 >= 2 && 1 <= 2 && 1 < 2', '1'],
  ['true xor true', ''],
  ['true and false or true', '1'],
  ['!$alert->zero', '1'],
  ['!true == false', '1'],
  ['(int) "42.9" + (float) "0.5"', '42.5'],
  ['(string) 5 . (bool) "x"', '51'],
  [`'it\\'s \\n'`, "it's \\n"],
  ['"tab\\tline\\n\\u{41} \\$x \\q"', 'tab\tline\nA $x \\q'],
  ['"on $alert->hostname: {$alert->faults[1]["ifName"]} {x}"', 'on sw1: Gi0/1 {x}'],
  ['"$alert[hostname] costs 5$"', 'sw1 costs 5$'],
  ['"}} " . \'!!}\'', '}} !!}'],
  ['implode(",", ["a" => 1, 5 => 2, 3])', '1,2,3'],
  ['implode(",", array_keys(["a" => 1, 5 => 2, 3]))', 'a,5,6'],
  ['isset($alert->location)', ''],
  ['empty($alert->zero)', '1'],
  ['is_null($alert->location) && is_numeric("1e3") && !is_numeric("x") && is_array([])', '1'],
  ['is_string("") && is_bool(false) && is_int(5) && is_float(5.5)', '1'],
  ['intval("12 apples") . floatval("1.5x") . strval(1) . boolval("0")', '121.51'],
  ['abs(-5) . floor(1.7) . ceil(1.2) . round(2.5) . round(-2.5)', '5123-3'],
  ['round(1.005, 2) . " " . round(1234, -2)', '1.01 1200'],
  ['min(3, 1, 2) . max([3, 9, 2]) . sqrt(16) . pow(2, 8) . intdiv(7, 2) . fmod(7, 4)', '19425633'],
  ['count($alert->faults) . sizeof([])', '20'],
  ['implode(", ", $alert->list) . join([1, 2])', '3, 1, 212'],
  ['explode(",", "a,b,c", 2)[1] . count(explode(",", "a,b", -1))', 'b,c1'],
  ['in_array("2", $alert->list) . in_array("2", $alert->list, true)', '1'],
  ['array_search(1, $alert->list) . (array_search(8, [1]) === false)', '11'],
  ['array_key_exists("ifName", $alert->faults[1])', '1'],
  ['implode(",", array_column($alert->faults, "ifName"))', 'Gi0/1,Gi0/2'],
  ['array_sum($alert->list) . count(array_unique([1, 1, "1"])) . implode(array_reverse([1, 2]))', '6121'],
  ['implode(array_slice([1, 2, 3], 1)) . implode(array_slice([1, 2, 3], -2, 1))', '232'],
  ['implode(array_merge([1], [2])) . implode(range(1, 3)) . implode(range(4, 0, 2))', '12123420'],
  ['implode(array_filter([0, 1, "", 2])) . array_values(["x" => 7])[0]', '127'],
  ['array_key_first(["x" => 7]) . array_key_last([5, 6])', 'x1'],
  ['json_encode(["a" => [1, "x/é"], "b" => null])', '{"a":[1,"x/é"],"b":null}'],
  ['strtoupper("ab") . strtolower("CD") . ucfirst("ef") . lcfirst("GH") . ucwords("i j")', 'ABcdEfgHI J'],
  ['strlen("abc") . strrev("abc") . trim("  x ") . rtrim("x//", "/") . ltrim("00x", "0")', '3cbaxxx'],
  ['substr("abcdef", 1, 3) . substr("abcdef", -2) . substr("abc", 0, -1) . substr("a", 5)', 'bcdefab'],
  ['str_replace("a", "b", "aXa") . str_replace(["a", "b"], ["1", "2"], "ab")', 'bXb12'],
  ['str_contains("abc", "b") . str_starts_with("abc", "ab") . str_ends_with("abc", "bc")', '111'],
  ['strpos("abc", "c") . (strpos("abc", "x") === false) . stripos("ABC", "c") . strrpos("aa", "a")', '2121'],
  ['strstr("a@b", "@") . substr_count("aXaXa", "a") . strcmp("a", "b") . strcasecmp("A", "a")', '@b3-10'],
  ['str_repeat("=", 5) . str_pad("5", 3, "0", STR_PAD_LEFT) . str_pad("x", 3) . "|"', '=====005x  |'],
  ['str_pad("x", 4, "-", STR_PAD_BOTH)', '-x--'],
  ["sprintf('%05.1f|%-4s|%4d|%s%%|%x|%2$s', 3.14159, 'ab', 42, 7, 255)", '003.1|ab  |  42|7%|ff|ab'],
  ['sprintf("%+d %\'*6s %03d %b %X %e", 5, "ab", -5, 5, 255, 12345.678)', '+5 ****ab -05 101 FF 1.234568e+4'],
  [
    'number_format(1234567.891, 2) . " " . number_format(1234.5) . " " . number_format(0.5, 1, ",", ".")',
    '1,234,567.89 1,235 0,5',
  ],
  ['number_format(-1234567, 0, "", " ")', '-1 234 567'],
  ['nl2br("a\\nb") . htmlspecialchars("<&>") . strip_tags("<b>x</b>")', 'a<br />\nb&lt;&amp;&gt;x'],
  ['urlencode("a b&c") . rawurlencode("a b")', 'a+b%26ca%20b'],
  ['wordwrap("aa bb cc", 5, "|")', 'aa bb|cc'],
  ['dechex(255) . hexdec("ff")', 'ff255'],
  ['time() . "," . date("U")', '1785579630,1785579630'],
  ['date("Y-m-d", strtotime("2026-02-03"))', '2026-02-03'],
  ['date("D l j S n y H:i:s g A \\\\Y", strtotime("2026-03-02 15:04:05"))', 'Mon Monday 2 nd 3 26 15:04:05 3 PM Y'],
  ['date("z W o t L N", strtotime("2027-01-01"))', '0 53 2026 31 0 5'],
  [
    'strtotime("2026-08-01T10:20:30Z") . "," . strtotime("@5") . "," . strtotime("2026-08-01 12:20:30+02:00")',
    '1785579630,5,1785579630',
  ],
  ['strtotime("+1 hour") - strtotime("now") . "," . (strtotime("2 minutes ago") - time())', '3600,-120'],
  ['(strtotime("soon") === false) . (strtotime("2026-02-31") === false)', '11'],
] as const)('%s', (expression, want) => {
  if (want === null) expect(() => render(`{{ ${expression} }}`)).toThrow('Unknown word')
  else expect(render(`{{ ${expression} }}`)).toBe(want)
})

describe('faults', () => {
  test.each([
    ['{{ $alert->title', 1, 1, 'Unterminated expression'],
    ['{!! $alert->msg }}', 1, 17, 'Expected !!} after the value, found }'],
    ['a\n{{-- x', 2, 1, 'Unterminated comment'],
    ['@if (1) x', 1, 1, '@if is not closed'],
    ['x\r\n  @endif', 2, 3, '@endif has nothing to close'],
    ['@if (1) @foreach ([1] as $b) @endif @endforeach', 1, 30, '@endif has nothing to close'],
    ['@if (1) @else @else @endif', 1, 15, '@else has nothing to close'],
    ['@if x @endif', 1, 1, '@if needs parentheses'],
    ['@if (1 x @endif', 1, 8, 'Expected ) after @if, found x'],
    ['@if () x @endif', 1, 6, 'Expected a value, found )'],
    ['@empty x', 1, 1, '@empty has nothing to close'],
    ['ab\n@php echo 1;', 2, 1, 'PHP code without @endphp'],
    ['x <?php echo 1', 1, 3, 'PHP code without ?>'],
    ['@php exec("id"); @endphp', 1, 6, 'Unknown function exec()'],
    ['@php require "x"; @endphp', 1, 6, 'require is not supported in a template'],
    ['@php function f() { return 1; } @endphp', 1, 6, 'function is not supported in a template'],
    ['@php $x = 1 $y = 2; @endphp', 1, 13, 'Expected ; after the statement, found $y'],
    ['@php break; @endphp', 1, 6, 'break outside a loop'],
    ['@php if ($alert->state) { echo 1; @endphp', 1, 26, '} is missing'],
    ['@php /* open @endphp', 1, 6, 'Unterminated comment'],
    ['{{ 5 = 1 }}', 1, 4, 'Only a variable or its members can be assigned'],
    ['{{ sort([1]) }}', 1, 4, 'sort() needs a variable as its first argument'],
    ['{{ route("nowhere") }}', 1, 4, 'route() knows no page nowhere'],
    ['{{ strlen(fn ($x) => $x) }}', 1, 4, 'strlen() takes no function'],
    ['{{ 1 instanceof X }}', 1, 6, 'The operator instanceof is not supported'],
    ['{{ ~1 }}', 1, 4, 'The operator ~ is not supported'],
    ['{{ match(1) { 1 => }  }}', 1, 20, 'Expected a value, found }'],
    ['@include("x")', 1, 1, '@include is not supported'],
    ['@unknown("x")', 1, 1, '@unknown is not supported'],
    ['{{ system("id") }}', 1, 4, 'Unknown function system()'],
    ['{{ \\App\\Models\\Device::find(1) }}', 1, 4, 'Static calls are not supported: App\\Models\\Device::'],
    ['{{ $alert::x }}', 1, 10, 'Static calls (::) are not supported'],
    ['{{ $alert->delete() }}', 1, 10, 'Unknown method ->delete()'],
    ['{{ $alert("x") }}', 1, 10, 'Only functions can be called'],
    ['{{ `id` }}', 1, 4, 'Expected a value, found `'],
    ['{{ new X }}', 1, 4, 'Unknown word new; strings need quotes'],
    ['{{ word }}', 1, 4, 'Unknown word word; strings need quotes'],
    ['{{ 1 < 2 < 3 }}', 1, 10, 'Comparisons cannot be chained; use &&'],
    ['{{ 1 ? 2 : 3 ? 4 : 5 }}', 1, 14, 'A ternary inside another one needs parentheses'],
    ['{{ "abc }}', 1, 4, 'Unterminated string'],
    ["{{ 'abc }}", 1, 4, 'Unterminated string'],
    ['{{ count() }}', 1, 4, 'count() takes 1 argument, not 0'],
    ['{{ round(1, 2, 3) }}', 1, 4, 'round() takes 1 to 2 arguments, not 3'],
    ['{{ "$nobody" }}', 1, 5, 'Unknown variable $nobody; known here: $alert'],
    ['@foreach ([1]) @endforeach', 1, 14, 'Expected as after the list, found )'],
    ['@break', 1, 1, '@break outside a loop'],
    ['@switch(1) x @case(1) @endswitch', 1, 1, 'Nothing is allowed between @switch and its first @case'],
    ['@switch(1) @default @default @endswitch', 1, 21, 'A second @default'],
  ])('%j', (template, line, column, message) => {
    expect(parseTemplate(template)).toEqual({ kind: 'fault', line, column, message })
  })

  test('rendering errors have a position too', () => {
    expect(render('a\n {{ 1 / 0 }}')).toBe('fault 2:2 Division by zero')
    expect(render('@foreach ([1] as $x)\n{{ 5 % 0 }}@endforeach')).toBe('fault 2:1 Division by zero')
    expect(render('{{ sprintf("%s %s", 1) }}')).toBe('fault 1:1 sprintf() has too few arguments for its format')
    expect(render('{{ explode("", "x") }}')).toBe('fault 1:1 explode() needs a separator')
  })
})

describe('hostile templates', () => {
  const many = (text: string, times = 20_000) => text.repeat(times)
  test.each([
    [`{{ ${many('(', 5000)}`, /levels of nesting/],
    [`{{ ${many('!', 5000)}1 }}`, /levels of nesting/],
    [`{{ ${many('[', 5000)}`, /levels of nesting/],
    [`{{ ${many('1 ?? ', 5000)}1 }}`, /levels of nesting/],
    [`{{ ${many('true ? ', 5000)}1 }}`, /levels of nesting/],
    [`{{ ${many('1 + ', 5000)}1 }}`, /operators in a row/],
    [`{{ $alert${many('->x', 5000)} }}`, /members in a row/],
    [`{{ max(${many('1,', 5000)}1) }}`, /arguments/],
    [many('@if (1) ', 5000), /levels of nesting/],
    [many('x', 100_001), /longer than 100000/],
    [`{{ '${many('\\', 50_000)}`, /Unterminated string/],
  ])('%.20s is rejected', (template, reason) => {
    const read = parseTemplate(template)
    expect(read.kind === 'fault' ? read.message : '').toMatch(reason)
  })

  const loop = (inner: string) => `@for ($i = 0; $i < 1000000000; $i++)${inner} @endfor`
  test.each([
    [loop(''), /steps/],
    [loop(loop('')), /steps/],
    [loop('0123456789'.repeat(100)), /characters of output/],
    ['@for ($i = 1; true; $i += 0)@endfor', /steps/],
    ['{{ str_repeat("x", 1000000000) }}', /A text of more than/],
    ['{{ str_pad("x", 1000000000) }}', /A text of more than/],
    ['{{ count(range(1, 1000000000)) }}', /steps/],
    [`{{ ${'str_repeat('.repeat(10)}"xxxxxxxxxx"${', 10)'.repeat(10)} }}`, /A text of more than/],
    ['{{ str_replace("x", str_repeat("y", 1000), str_repeat("x", 1000)) }}', /A text of more than/],
    [loop('@if (str_contains(str_repeat("ab", 90000), "x"))x @endif'), /steps/],
    [`@foreach (range(1, 1000) as $a)@foreach (range(1, 1000) as $b)@endforeach @endforeach`, /steps/],
    ['{{ implode(str_repeat("x", 1000), range(1, 1000)) }}', /A text of more than/],
    ['{{ sprintf(str_repeat("%1\\$s", 1000), str_repeat("x", 1000)) }}', /steps/],
  ])('%.50s is stopped', (template, reason) => {
    expect(render(template)).toMatch(reason)
  })

  test('a context that contains itself', () => {
    const self: Record<string, unknown> = { x: 1 }
    self['self'] = self
    const read = parseTemplate('{{ $alert->self->self->x }}')
    if (read.kind === 'fault') throw new Error(read.message)
    const options = { output: 'text', now: NOW } as const
    expect(renderTemplate(read, { alert: self }, options)).toEqual({ kind: 'rendered', text: '1' })
  })
})

test('random text is accepted or rejected, and rendered within its limits, without an exception', () => {
  const pieces =
    `{{ }} {!! !!} {{-- --}} @if( @elseif( @else @endif @foreach( @endforeach @forelse( @empty @endforelse @for( @endfor
    @switch( @case( @default @break @endswitch @isset( @@ ( ) [ ] { } $alert $alert->faults -> ?-> :: => as $k $v , ; ? : ??
    ?: + - * / % . < > == === != <=> && || and ! = ++ " ' \\ 1 0.5 1e400 "a" 'b' null true count( implode( sprintf( date(
    str_repeat( json_encode( strtotime( range( substr( (int) <?php ?> @php @endphp @while( @endwhile $x = += .= ++ -- ** fn ($x)
    match( { } => default echo foreach( as if( else collect( ->map( ->pluck( ->sortBy( usort( list( /* */ // # [] preg_replace( é \u{1f600} \0`.split(
      /\s+/,
    )
  const body = fc
    .tuple(
      fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14, size: 'max' }),
      fc.constantFrom('', ' ', '\n'),
    )
    .map(([chosen, between]) => chosen.join(between))
  let read = 0
  fc.assert(
    fc.property(body, fc.boolean(), (text, isExpression) => {
      const template = parseTemplate(isExpression ? `{{ ${text} }}` : text)
      if (template.kind === 'fault') {
        expect(template.line).toBeGreaterThan(0)
        expect(template.column).toBeGreaterThan(0)
        return
      }
      read++
      const result = renderTemplate(template, { alert }, { output: 'html', now: NOW, steps: 1000, length: 1000 })
      if (result.kind === 'rendered') expect(result.text.length).toBeLessThanOrEqual(1000)
    }),
    { numRuns: 5000 },
  )
  expect(read).toBeGreaterThan(25)
})

test('the reference lists every function', () => {
  const page = readFileSync(join(import.meta.dir, '../../../docs/reference/templates.md'), 'utf8').toLowerCase()
  expect([...FUNCTIONS.keys(), ...CHANGING.keys()].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test.each([
  ['plain < text > here', false, 'plain here'],
  ['<h1>Down</h1>\n<p>sw1 &amp; <b>sw2</b><br/>&lt;x&gt; &#039;y&#039;</p>', true, "Down\n\nsw1 & sw2\n<x> 'y'"],
  ['<table><tr><td>a</td><td>b</td></tr></table>', true, 'a b'],
  ['<style>p { color: red }</style><p class="x">a</p>', true, 'a'],
])('%j as HTML', (html, is, text) => {
  expect(isHtml(html)).toBe(is)
  expect(textOfHtml(html)).toBe(text)
})
