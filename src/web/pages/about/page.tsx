/** @jsxImportSource #jsx */
import { Card, count, duration } from '../../components/values.tsx'
import { page } from '../../page.ts'
import { Frame } from '../settings/frame.tsx'

interface AboutData {
  readonly facts: readonly (readonly [string, string])[]
}

const LICENCE = 'https://www.apache.org/licenses/LICENSE-2.0'

/** Versions, database, licence. */
export const aboutPage = page<AboutData>({
  path: '/about',
  gate: 'admin',
  async load({ services }) {
    const { system } = services
    const { version } = system
    const database = await system.database()
    const built = [version.revision, version.builtAt].filter((word) => word !== '').join(', ')
    return {
      facts: [
        ['Version', `${version.version}${built === '' ? '' : ` (${built})`}`],
        ['Database', `${database.version}, ${count(database.migrations)} migrations`],
        ['Runtime', `Bun ${Bun.version} on ${process.platform} ${process.arch}`],
        ['Running for', duration(process.uptime())],
        ['Memory', `${Math.round(process.memoryUsage.rss() / 1_048_576)} MiB`],
      ],
    }
  },
  view: ({ facts }) => ({
    title: 'About',
    crumbs: [{ label: 'Settings', href: '/settings' }, { label: 'About' }],
    body: (
      <Frame title="About" here="/about">
        <div class="cols">
          <Card title="Portlight">
            <dl class="facts">
              {facts.map(([label, value]) => (
                <>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </>
              ))}
            </dl>
          </Card>
          <Card title="Licence and references">
            <ul class="rows">
              <li>
                <a href={LICENCE} rel="noreferrer">
                  Apache License 2.0
                </a>
              </li>
              <li>
                <a href="/docs">API reference</a>
              </li>
            </ul>
          </Card>
        </div>
      </Frame>
    ),
  }),
})
