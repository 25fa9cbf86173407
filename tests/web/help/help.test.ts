import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { addressOf, linkOf, pathOf } from '../../../src/web/help/address.ts'
import { tasks } from '../../../src/web/help/contents.ts'
import { documents } from '../../../src/web/help/documents.ts'
import { embeddedDocuments } from '../../../src/web/help/embed.ts'
import { plainText, renderDocument } from '../../../src/web/help/render.ts'
import { helpSearch } from '../../../src/web/help/search.ts'
import { type Person, type TestWeb, testWeb } from '../support.ts'

setDefaultTimeout(240_000)

let web: TestWeb
let reader: Person
beforeAll(async () => {
  web = await testWeb()
  reader = await web.signedIn(['user'])
}, 240_000)
afterAll(() => web.drop())

const open = async (path: string) => await web.send(path, { cookie: reader.cookie })

/** Links and images of markup that lead to this server. */
const ownLinks = (markup: string) =>
  [...markup.matchAll(/(?:href|src)="(\/help[^"]*)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'))

test('every page is served, and every link and image on it leads to a page, to a heading of it, or to an image', async () => {
  const bodies = new Map<string, string>()
  for (const path of documents().pages) {
    const answer = await open(addressOf(path))
    expect(answer.status, path).toBe(200)
    bodies.set(addressOf(path), await answer.text())
  }
  expect(bodies.size).toBeGreaterThan(100)
  const images = new Set<string>()
  for (const [page, body] of bodies)
    for (const link of ownLinks(body)) {
      const [address = '', anchor] = link.split('#')
      if (address.startsWith('/help-images/')) images.add(address)
      else expect(bodies.has(address), `${page}: ${link}`).toBe(true)
      if (anchor !== undefined) expect(bodies.get(address), `${page}: ${link}`).toContain(`id="${anchor}"`)
    }
  expect(images.size).toBeGreaterThan(20)
  for (const image of images) expect((await open(image)).headers.get('content-type'), image).toBe('image/png')
})

test.each([
  '/help/how-to/none',
  '/help/../package',
  '/help/img/pages-overview',
  '/help-images/none.png',
  '/help-images/..%2f..%2fpackage.json',
  '/help/how-to/__proto__',
])('%s is not found', async (path) => {
  expect((await open(path)).status).toBe(404)
})

test('the compiled program has the same files', () => {
  const embedded = embeddedDocuments()
  const { pages, text, image } = documents()
  expect(Object.keys(embedded).filter((path) => path.endsWith('.md'))).toEqual([...pages])
  expect(embedded['how-to/alerts.md']).toBe(text('how-to/alerts.md') ?? '')
  expect(Uint8Array.fromBase64(embedded['img/device-bits.png'] ?? '')).toEqual(
    image('img/device-bits.png') ?? new Uint8Array(),
  )
})

describe('addresses', () => {
  test.each([
    ['how-to/alerts.md', '../reference/config.md#port', '/help/reference/config#port'],
    ['how-to/alerts.md', 'rules.md', '/help/how-to/rules'],
    ['how-to/alerts.md', '#limits', '#limits'],
    ['runbooks/disk-filling.md', 'README.md', '/help/runbooks/index'],
    ['how-to/alerts.md', '../README.md', '/help'],
    ['how-to/alerts.md', '../img/a.png', '/help-images/a.png'],
    ['how-to/alerts.md', '../../src/main.ts', null],
    ['how-to/alerts.md', 'https://example.net/x', 'https://example.net/x'],
    ['how-to/alerts.md', 'javascript:alert(1)', null],
    ['how-to/upgrade.md', '../../CHANGELOG.md', '/help/project/changelog'],
    ['project/changelog.md', 'docs/how-to/alerts.md#limits', '/help/how-to/alerts#limits'],
    ['project/changelog.md', 'bench/README.md', null],
  ])('from %s the link %s leads to %p', (page, link, want) => {
    expect(linkOf(page, link)).toBe(want)
  })

  test('an address leads back to its page', () => {
    for (const path of documents().pages) {
      const [, , section = '', name = ''] = addressOf(path).split('/')
      if (path !== 'README.md') expect(pathOf(section, name)).toBe(path)
    }
  })
})

describe('markup', () => {
  test('HTML in a page is shown as text, and code is not read as markup', () => {
    const { body } = renderDocument(
      'how-to/x.md',
      '# T <b>\n\n<script>alert(1)</script> `<i>`\n\n```sh\n<u> & "x"\n```\n',
    )
    expect(body.text).not.toMatch(/<(?:script|b|i|u)>/)
    expect(body.text).toContain('&lt;script&gt;')
  })

  test('comments are not shown, and what is beside them is', () => {
    const { body } = renderDocument(
      'how-to/x.md',
      '# T\n\n<!-- Generated: change that -->\n\nBefore <!-- a -->after `<!-- code -->`\n\n<!-- no\nend',
    )
    expect(plainText(body.text).replaceAll(/\s+/g, ' ').trim()).toBe('T Before after <!-- code -->')
    for (const path of documents().pages) {
      const { body: page } = renderDocument(path, documents().text(path) ?? '')
      expect(page.text.replaceAll(/<code>[\s\S]*?<\/code>/g, ''), path).not.toContain('&lt;!--')
    }
  })

  test('in the tables of what to open, addresses are links, and nothing else is', () => {
    const { body } = renderDocument(
      'stories/x.md',
      '| Open | It says |\n|---|---|\n| `/ports?q=a` → `Gi0` | `/var/log` |\n| `GET /api/v0/x` | x |\n| `//host` | x |\n\n`/y`',
    )
    expect([...body.text.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['/ports?q=a'])
    const story = renderDocument('stories/laptop.md', documents().text('stories/laptop.md') ?? '')
    expect(story.body.text).toContain('<a href="/mac/3c:22:fb:14:00:78"><code>')
  })

  test('no text breaks out of an attribute', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const { body } = renderDocument(
          'how-to/x.md',
          `# ${text}\n\n[${text}](${text}) ![${text}](<${text}>)\n\n| ${text} |\n|---|\n| x |\n\n| Open |\n|---|\n| \`/${text}\` |`,
        )
        expect(body.text).not.toMatch(
          /<(?!\/?(?:h[1-6]|p|a|img|div|table|thead|tbody|tr|th|td|span|code|pre|em|strong|del|ul|ol|li|hr|br|blockquote|input)\b)/,
        )
      }),
      { numRuns: 500 },
    )
  })
})

test('the contents have every task of the first page', () => {
  const names = tasks().map(({ name }) => name)
  expect(names).toContain('Install and run')
  expect(names).toContain('Alert')
  for (const { pages } of tasks()) expect(pages.length).toBeGreaterThan(0)
})

/** Questions that people who come from LibreNMS ask, and the page that answers each. */
const QUESTIONS: readonly (readonly [string, string])[] = [
  ['device does not answer SNMP', '/help/how-to/troubleshooting'],
  ['how do I add a device', '/help/how-to/change-devices'],
  ['add many devices from a CSV file', '/help/how-to/change-devices'],
  ['configure snmpd community on Linux', '/help/how-to/prepare-devices'],
  ['scan my network for devices', '/help/how-to/find-devices'],
  ['migrate from LibreNMS', '/help/how-to/migrate'],
  ['send mail when a switch is down', '/help/how-to/transports'],
  ['write an alert rule', '/help/how-to/write-a-rule'],
  ['acknowledge an alert', '/help/how-to/faults'],
  ['who is on call', '/help/how-to/on-call'],
  ['escalation after 15 minutes', '/help/how-to/operations'],
  ['maintenance window', '/help/how-to/alerts'],
  ['HTTPS certificate', '/help/how-to/https'],
  ['backup and restore', '/help/how-to/backup'],
  ['upgrade to a new version', '/help/how-to/upgrade'],
  ['syslog from switches', '/help/how-to/syslog'],
  ['SNMP traps', '/help/how-to/traps'],
  ['LDAP Active Directory login', '/help/how-to/oidc'],
  ['Grafana dashboards', '/help/reference/grafana'],
  ['how long is data kept, disk full', '/help/how-to/database-size'],
  ['use my own PostgreSQL', '/help/how-to/own-database'],
  ['no data in graph, gaps', '/help/how-to/troubleshooting'],
  ['reach the web page from another computer', '/help/how-to/troubleshooting'],
  ['give a customer access to some ports', '/help/how-to/give-access'],
  ['which port is a MAC address on', '/help/how-to/where-is-it'],
  ['poller on a remote site', '/help/how-to/remote-sites'],
  ['device not responding to snmp', '/help/how-to/troubleshooting'],
  ['no graphs', '/help/how-to/troubleshooting'],
  ['docker wrong ip address', '/help/how-to/troubleshooting'],
  ['change community', '/help/how-to/change-devices'],
  ['delete a device', '/help/how-to/change-devices'],
  ['how long is data kept', '/help/how-to/database-size'],
  ['ldap login', '/help/how-to/oidc'],
  ['alert email not sent', '/help/how-to/troubleshooting'],
  ['duplicate sysName', '/help/explanation/identity'],
  ['ifIndex changed', '/help/how-to/troubleshooting'],
  ['reverse proxy sub path', '/help/how-to/https'],
  ['mib for my device', '/help/how-to/add-a-vendor'],
  ['poller slow', '/help/runbooks/poller-late'],
  ['high cpu', '/help/how-to/switch-modules-off'],
  ['syslog not arriving', '/help/how-to/syslog'],
  ['traps', '/help/how-to/traps'],
  ['backup', '/help/how-to/backup'],
  ['bill 95th percentile', '/help/reference/bills'],
  ['api token', '/help/tutorial/start'],
  ['grafana', '/help/reference/grafana'],
  // the same in other words
  ['remove host', '/help/how-to/change-devices'],
  ['SSO logon', '/help/how-to/oidc'],
  ['no notification mails', '/help/how-to/troubleshooting'],
  ['nginx subfolder', '/help/how-to/https'],
  ['planned downtime', '/help/how-to/alerts'],
  ['interface shows missing chart', '/help/how-to/troubleshooting'],
  ['retention', '/help/reference/data-model'],
  ['schedule downtime', '/help/how-to/alerts'],
  ['silence an alert', '/help/how-to/faults'],
  ['snooze alert', '/help/how-to/faults'],
  ['ignore interface', '/help/reference/config'],
  ['change sensor threshold', '/help/explanation/definitions'],
  ['hardware requirements', '/help/explanation/scale'],
  ['default credentials', '/help/reference/cli'],
  ['forgot password', '/help/reference/cli'],
  ['two factor', '/help/reference/cli'],
  ['high availability', '/help/how-to/cluster'],
  ['use SNMPv3', '/help/how-to/prepare-devices'],
  ['discover new devices automatically', '/help/how-to/find-devices'],
  ['custom OID', '/help/how-to/add-a-vendor'],
  ['windows server monitoring', '/help/how-to/prepare-devices'],
  ['run as service', '/help/how-to/systemd'],
  ['nagios plugin', '/help/how-to/service-checks'],
  ['ssl certificate expiry check', '/help/how-to/service-checks'],
  ['slack notifications', '/help/how-to/transports'],
  ['prometheus', '/help/how-to/monitor-portlight'],
  // what newcomers from LibreNMS typed
  ['add device', '/help/tutorial/start'],
  ['alert when port goes down', '/help/how-to/alerts'],
  ['high cpu alert', '/help/how-to/alerts'],
  ['weathermap', '/help/explanation/comparison'],
  ['disable all alert rules', '/help/how-to/alerts'],
  ['change community of all devices', '/help/how-to/change-devices'],
  ['purge deleted ports', '/help/reference/config#discoverykeep_gone_days'],
  ['snmpv3', '/help/tutorial/start'],
  ['how to add an SNMPv3 device', '/help/tutorial/start'],
  ['change polling interval', '/help/reference/config#pollerinterval'],
  ['device shows down but ping works', '/help/how-to/troubleshooting'],
  ['show sysName instead of IP', '/help/reference/config#device_display_default'],
  ['dynamic device group', '/help/how-to/change-devices'],
  ['mute alert for one port', '/help/how-to/faults'],
  ['distributed poller', '/help/how-to/cluster'],
  ['smokeping', '/help/reference/graphs'],
  ['remote poller', '/help/how-to/remote-sites'],
  ['dispatcher service', '/help/how-to/cluster'],
  ['LDAP', '/help/how-to/oidc'],
  ['smtp', '/help/how-to/transports'],
  ['update portlight', '/help/how-to/upgrade'],
  // the same in other words, and misspelt
  ['new device', '/help/tutorial/start'],
  ['alarm if an interface is down', '/help/how-to/alerts'],
  ['cpu threshold alert', '/help/how-to/alerts'],
  ['turn off notifications', '/help/how-to/alerts'],
  ['remove old ports', '/help/reference/config#discoverykeep_gone_days'],
  ['poll every minute', '/help/reference/config#pollerinterval'],
  ['rename device display', '/help/how-to/change-devices'],
  ['ping latency graph', '/help/reference/graphs'],
  ['active directory', '/help/how-to/oidc'],
  ['maintenence window', '/help/how-to/alerts'],
]

describe('search', () => {
  // the answer may be one of the questions and answers, if it leads there
  test.each(QUESTIONS)('"%s" finds %s first', async (question, page) => {
    const [first] = (await helpSearch()).find(question, 5)
    const [address, anchor = ''] = first?.href.split('#') ?? []
    const answers = renderDocument('how-to/faq.md', documents().text('how-to/faq.md') ?? '').body.text
    const answer = answers.split(`id="${anchor}"`)[1]?.split('<h2')[0] ?? ''
    if (address === '/help/how-to/faq') expect(answer).toContain(`href="${page}`)
    else expect(address).toBe(page)
  })

  test('any text is an answer, within its limit', async () => {
    const search = await helpSearch()
    for (const text of ['', ' ', 'the', '\0', '\ud800', 'x'.repeat(100_000), '"(*&^%', '日本語', 'a '.repeat(5000)])
      expect(search.find(text, 3).length).toBeLessThanOrEqual(3)
  })

  test('the page shows hits with their excerpts, escaped', async () => {
    const answer = await open('/help?q=%3Cscript%3E+community')
    const body = await answer.text()
    expect(answer.status).toBe(200)
    expect(body).toContain('href="/help/how-to/prepare-devices')
    expect(body).not.toContain('“<script>')
    expect(await (await open('/help?q=qqqqqqqq')).text()).toContain('Nothing about')
  })
})
