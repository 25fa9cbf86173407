import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { METHODS } from '../src/methods.ts'
import { parseTemplate } from '../src/parse.ts'
import { type RenderOptions, renderTemplate } from '../src/render.ts'

const alert = {
  title: 'rack 4 is hot',
  hostname: 'sw1.example.net',
  device_id: 12,
  state: 1,
  severity: 'critical',
  status_reason: 'icmp,snmp',
  timestamp: '2026-08-01 10:15:30',
  faults: {
    '1': { sensor_descr: 'Inlet', sensor_current: 41.5, sensor_limit: 40, unit: 'C', ifSpeed: 1e9 },
    '2': { sensor_descr: 'Outlet', sensor_current: 55, sensor_limit: 50, unit: 'C', ifSpeed: 2.5e9 },
    '3': { sensor_descr: 'CPU', sensor_current: 90, sensor_limit: 85, unit: 'C', ifSpeed: 1e8 },
  },
}
const NOW = Date.parse('2026-08-01T10:20:30')

function render(text: string, options: Partial<RenderOptions> = {}): string {
  const read = parseTemplate(text)
  if (read.kind === 'fault') throw new Error(`${read.line}:${read.column} ${read.message}`)
  const pageUrl = (path: string) => `https://nms.example.net/${path}`
  const result = renderTemplate(read, { alert }, { output: 'text', now: NOW, pageUrl, ...options })
  return result.kind === 'rendered' ? result.text : `fault ${result.line}:${result.column} ${result.message}`
}

test.each([
  // Variables
  ['@php $n = 5; @endphp\n{{ $n }}', '5'],
  ['@php($n = 2 + 3)\n{{ $n }}', '5'],
  ['@php $n = 1; $n += 4; $n *= 3; $n -= 1; $n /= 2; $n .= "x"; @endphp{{ $n }}', '7x'],
  ['@php $a = $b = 3; $i = 0; echo $i++, ++$i, $i--, --$i; @endphp {{ $a . $b . $i }}', '0220 330'],
  ['@php $x ??= "new"; $x ??= "other" @endphp{{ $x }}', 'new'],
  [
    '@php $l = []; $l[] = "a"; $l["k"] = "b"; $l[] = "c"; $l["m"]["n"] = 1; @endphp{{ json_encode($l) }}',
    '{"0":"a","1":"c","k":"b","m":{"n":1}}',
  ],
  ['@php [$a, , $c] = explode(",", "1,2,3"); list("x" => $x) = ["x" => 9]; @endphp{{ $a . $c . $x }}', '139'],
  [
    '@php $copy = $alert->faults; $copy[1]["unit"] = "F"; @endphp{{ $copy[1]["unit"] . $alert->faults[1]["unit"] }}',
    'FC',
  ],
  [
    '@php unset($u); $v = 1; unset($v); @endphp{{ isset($v) ? "set" : "unset" }}{{ isset($never) ? 1 : 0 }}{{ $never ?? "-" }}',
    'unset0-',
  ],
  [
    '@foreach ($alert->faults as $f)@php $sum = ($sum ?? 0) + $f["sensor_current"]; @endphp @endforeach{{ $sum }}',
    '   186.5',
  ],
  ['@foreach ([1, 2] as $a)@endforeach{{ $a }}', '2'],
  ['@foreach ([1] as $a)@foreach ([1] as $b){{ $loop->depth }}@endforeach{{ $loop->depth }}@endforeach', '21'],
  // Statements
  ['@php echo ($alert->faults[1]["sensor_current"] - $alert->faults[1]["sensor_limit"]); @endphp over', '1.5 over'],
  ['@php echo "a", 1 + 1; print "b" @endphp', 'a2b'],
  ['<?php echo strtoupper("a"); ?>|<?= 1 + 1 ?>|<?PHP echo 3 ?>', 'A|2|3'],
  ['@php // one\n# two\n/* three */ echo 1; // @endphp', '1'],
  [
    '@php if ($alert->state == 0) echo "up"; elseif ($alert->state == 1) { echo "do"; echo "wn"; } else echo "?"; @endphp',
    'down',
  ],
  ['@php if ($alert->state): echo "a"; else: echo "b"; endif; @endphp', 'a'],
  ['@php if (1) echo 1; else if (2) echo 2; @endphp', '1'],
  [
    '@php foreach ($alert->faults as $k => $f) { if ($k == 2) continue; echo $k, $f["sensor_descr"], ";"; } @endphp',
    '1Inlet;3CPU;',
  ],
  ['@php foreach ([1, 2] as $x): echo $x; endforeach; @endphp', '12'],
  ['@php for ($i = 0, $j = 9; $i < 3; $i++, $j--) echo $i * $j, " "; @endphp', '0 8 14 '],
  ['@php $i = 3; while ($i > 0) { echo $i--; if ($i == 1) break; } do { echo "d"; } while (false); @endphp', '32d'],
  [
    '@php switch ($alert->severity) { case "ok": echo 1; break; case "critical": echo 2; default: echo 3; } @endphp',
    '23',
  ],
  ['@php $i = 0; @endphp @while ($i < 3){{ $i++ }}@endwhile', ' 012'],
  ['@for ($i = 1; $i < 20; $i *= 3){{ $i }} @endfor', '1 3 9 '],
  ['@verbatim{{ $x }} @if @endverbatim|@once x @endonce|@json(["a" => 1])', '{{ $x }} @if | x |{"a":1}'],
  // Expressions
  ['{{ match($alert->severity) { "ok" => "green", "warning", "critical" => "red", default => "grey" } }}', 'red'],
  ['{{ match(true) { $alert->state > 1 => "a", $alert->state > 0 => "b", default => "c", } }}', 'b'],
  ['{{ match(3) { 1 => 2 } }}', 'fault 1:1 match has no arm for 3'],
  [
    '{{ 2 ** 3 ** 2 }} {{ -2 ** 2 }} {{ 6 & 3 }} {{ 6 | 1 }} {{ 6 ^ 3 }} {{ 1 << 4 }} {{ 256 >> 2 }}',
    '512 -4 2 7 5 16 64',
  ],
  ['{{ @$alert->faults[9]["x"] }}|{{ json_encode(["a" => 1] + ["a" => 2, "b" => 3]) }}', '|{"a":1,"b":3}'],
  // Functions as arguments
  ['{{ implode(",", array_map(fn($f) => $f["sensor_descr"], $alert->faults)) }}', 'Inlet,Outlet,CPU'],
  ['{{ implode(",", array_map("strtoupper", ["a", "b"])) }}', 'A,B'],
  [
    '@php $min = 50; @endphp{{ count(array_filter($alert->faults, function ($f) use ($min) { return $f["sensor_current"] > $min; })) }}',
    '2',
  ],
  ['{{ implode(array_filter(["a" => 1, "b" => 2], fn($k) => $k == "b", ARRAY_FILTER_USE_KEY)) }}', '2'],
  ['{{ array_reduce([1, 2, 3], fn($sum, $n) => $sum + $n, 10) }}', '16'],
  ['@php $l = [3, 1, 2]; sort($l); echo implode($l); rsort($l); echo implode($l); @endphp', '123321'],
  [
    '@php $f = $alert->faults; usort($f, fn($a, $b) => $b["sensor_current"] <=> $a["sensor_current"]); echo $f[0]["sensor_descr"]; @endphp',
    'CPU',
  ],
  [
    '@php $m = ["b" => 1, "a" => 2]; ksort($m); echo implode(",", array_keys($m)); arsort($m); echo array_key_first($m); @endphp',
    'a,ba',
  ],
  [
    '@php $l = [1]; array_push($l, 2, 3); array_unshift($l, 0); echo array_pop($l), array_shift($l), implode($l); @endphp',
    '3012',
  ],
  ['@php $x = 7; $y = array_map(fn($x) => $x * 2, [1]); echo $x, $y[0]; @endphp', '72'],
  // Collections
  ['{{ collect($alert->faults)->pluck("sensor_descr")->implode(", ") }}', 'Inlet, Outlet, CPU'],
  ['{{ collect($alert->faults)->where("sensor_current", ">", 50)->count() }}', '2'],
  ['{{ collect($alert->faults)->sortByDesc("sensor_current")->first()["sensor_descr"] }}', 'CPU'],
  ['{{ collect($alert->faults)->filter(fn($f) => $f["sensor_current"] < 50)->keys()->toJson() }}', '[1]'],
  [
    '{{ collect([1, 2, 3])->map(fn($n) => $n * 2)->sum() }} {{ collect([1, 2])->avg() }} {{ collect([])->avg() ?? "-" }}',
    '12 1.5 -',
  ],
  ['{{ collect(["a", "b", "c"])->join(", ", " and ") }}', 'a, b and c'],
  ['{{ collect($alert->faults)->max("sensor_current") . collect([])->isEmpty() . collect([5])->contains(5) }}', '9011'],
  ['{{ collect($alert->faults)->groupBy("unit")->map(fn($g) => $g->count())->toJson() }}', '{"C":3}'],
  [
    '{{ collect([1, [2, [3]]])->flatten()->implode("") . collect([3, 1, 3])->unique()->sort()->values()->implode("") }}',
    '12313',
  ],
  ['{{ collect($alert->faults)->pluck("sensor_limit", "sensor_descr")->get("CPU") }}', '85'],
  // Addresses and graphs
  [
    "{{ route('device', $alert->device_id) }} {{ route('device', ['device' => 3]) }}",
    'https://nms.example.net/device/12 https://nms.example.net/device/3',
  ],
  [
    "{{ url('/alerts') }} {{ config('app.url') }} {{ \\LibreNMS\\Config::get('base_url') }}",
    'https://nms.example.net/alerts https://nms.example.net/ https://nms.example.net/',
  ],
  // Time, numbers and texts of classes
  ['{{ \\Carbon\\Carbon::parse($alert->timestamp)->format("d.m. H:i") }}', '01.08. 10:15'],
  [
    '{{ now()->subHours(2)->toDateTimeString() }} {{ Carbon::parse($alert->timestamp)->diffForHumans() }}',
    '2026-08-01 08:20:30 5 minutes ago',
  ],
  ['{{ \\LibreNMS\\Util\\Number::formatSi($alert->faults[2]["ifSpeed"], 2, 0, "bps") }}', '2.5 Gbps'],
  [
    '{{ Number::formatBi(1536) }} {{ \\LibreNMS\\Util\\Time::formatInterval(93784) }}',
    '1.5 KiB 1 day 2 hours 3 minutes 4 seconds',
  ],
  [
    '{{ Str::limit("a long text", 6) }} {{ Illuminate\\Support\\Str::upper("x") }} {{ Str::before("a.b.c", ".") }}',
    'a long... X a',
  ],
  [
    '{{ preg_replace("/\\.example\\.net$/", "", $alert->hostname) }} {{ preg_match("~^SW\\d~i", $alert->hostname) }}',
    'sw1 1',
  ],
  [
    '{{ implode("|", preg_split("/[,;]\\s*/", "a, b;c")) }} {{ strtr("hi", ["h" => "H", "hi" => "bye"]) }}',
    'a|b|c bye',
  ],
  [
    '{{ json_decode(\'{"a":[1,{"b":2}]}\')->a[1]->b }} {{ print_r(["x" => 1], true) }}',
    '2 Array\n(\n    [x] => 1\n)\n',
  ],
])('%s', (template, want) => {
  expect(render(template)).toBe(want)
})

test('a graph may be named by its URL', () => {
  const asked: Record<string, string>[] = []
  const graphUrl = (members: ReadonlyMap<string, string>) => {
    asked.push(Object.fromEntries(members))
    return 'https://nms.example.net/g'
  }
  const urls = [
    'https://old.example.net/graph.php?type=device_processor&from=-2d&device=2&legend=no',
    'graph.php?type=port_bits&amp;id=7#top',
    '/graph/type=port_bits/id=7/from=-1h',
  ]
  for (const url of urls) expect(render(`@signedGraphTag('${url}')`, { graphUrl, output: 'html' })).toContain('<img')
  expect(asked).toEqual([
    { type: 'device_processor', from: '-2d', device: '2', legend: 'no' },
    { type: 'port_bits', id: '7' },
    { type: 'port_bits', id: '7', from: '-1h' },
  ])
})

test.each([
  ['@php while (true) { } @endphp', /steps/],
  ['@php for (;;) ; @endphp', /steps/],
  ['@php do { } while (true); @endphp', /steps/],
  ['@while (true)@endwhile', /steps/],
  ['@php $x = "x"; while (true) $x .= $x; @endphp', /A text of more than/],
  ['@php $l = [1]; while (true) $l[] = $l; @endphp', /steps/],
  ['@php $l = []; while (true) $l = ["a" => $l, "b" => $l]; @endphp', /steps/],
  ['@php $l = range(1, 900); foreach ($l as $a) usort($l, fn($x, $y) => -1); @endphp', /steps/],
  ['{{ count(array_map(fn($x) => str_repeat("x", 100000), range(1, 5000))) }}', /steps/],
  ['@php foreach ([1, 2, 3] as $i) $b = str_replace("a", "b", str_repeat("a", 90000)); @endphp', /steps/],
  ['{{ strtr(str_repeat("a", 90000), ["a" => str_repeat("b", 1000)]) }}', /A text of more than|steps/],
  ['{{ preg_replace("/a/", str_repeat("b", 1000), str_repeat("a", 4000)) }}', /A text of more than/],
  ['{{ preg_match("/(a+)+$/", str_repeat("a", 4000) . "b") }}', /^0$/],
  ['{{ preg_match("/((a{1,500}){1,500}){1,500}/", "a") }}', /cannot be used/],
  ['{{ preg_match("/a/", str_repeat("a", 5000)) }}', /reads at most 4096/],
  ['@php $x = 1e300 * 1e300; echo $x <=> 1, intval($x), 1 << 99; @endphp', /^10/],
])('%.60s ends within its limits', (template, result) => {
  expect(render(template)).toMatch(result)
})

test('sorting by an order that contradicts itself keeps every member', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.double(), fc.constantFrom(Number.NaN, 0, -0, 1e300)), { maxLength: 40 }),
      (list) => {
        const read = parseTemplate(
          '@php $l = $alert->list; usort($l, fn($a, $b) => $a * 7 % 3 - 1); echo count($l); @endphp',
        )
        if (read.kind === 'fault') throw new Error(read.message)
        const result = renderTemplate(read, { alert: { list } }, { output: 'text', now: NOW })
        expect(result.kind === 'rendered' ? result.text : result.message).toMatch(/^(\d+|Division by zero)$/)
        if (result.kind === 'rendered') expect(result.text).toBe(String(list.length))
      },
    ),
  )
})

test('the reference lists every method', () => {
  const page = readFileSync(join(import.meta.dir, '../../../docs/reference/templates.md'), 'utf8').toLowerCase()
  expect([...METHODS.keys()].filter((name) => !page.includes(name))).toEqual([])
})
