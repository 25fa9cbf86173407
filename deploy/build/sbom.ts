import { ComponentType, HashAlgorithm } from '@cyclonedx/cyclonedx-library/Enums'
import {
  Bom,
  Component,
  ComponentRepository,
  HashDictionary,
  LicenseExpression,
  LicenseRepository,
  NamedLicense,
  SpdxLicense,
} from '@cyclonedx/cyclonedx-library/Models'
import { JsonSerializer, JSON as Serializing } from '@cyclonedx/cyclonedx-library/Serialize'
import { Spec1dot6, Version } from '@cyclonedx/cyclonedx-library/Spec'
import { JsonStrictValidator } from '@cyclonedx/cyclonedx-library/Validation'
import type { BuildInfo } from '../../src/cli/build-info.ts'
import type { Part } from './parts.ts'

export interface Materials {
  readonly version: string
  readonly platform: string
  readonly info: BuildInfo
  /** SHA-256 of the program, hexadecimal. */
  readonly sha256: string
  readonly parts: readonly Part[]
}

/**
 * The software bill of materials in CycloneDX 1.6, identical for identical programs. Throws if it does not match the
 * schema.
 */
export async function sbom({ version, platform, info, sha256, parts }: Materials): Promise<string> {
  const program = new Component(ComponentType.Application, 'portlight', {
    version,
    bomRef: `portlight@${version}`,
    purl: `pkg:generic/portlight@${version}?platform=${platform}`,
    hashes: new HashDictionary([[HashAlgorithm['SHA-256'], sha256]]),
    licenses: licences('Apache-2.0'),
  })
  const bom = new Bom()
  bom.metadata.component = program
  if (info.date !== null) bom.metadata.timestamp = new Date(info.date)
  // A UUID derived from the content, so that repeated builds give the same document.
  const digest = Bun.SHA256.hash(`${sha256} ${platform}`, 'hex')
  const variant = ((Number.parseInt(digest.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  bom.serialNumber = `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-${variant}${digest.slice(18, 20)}-${digest.slice(20, 32)}`
  for (const each of parts) {
    const component = componentOf(each, 'portlight')
    bom.components.add(component)
    program.dependencies.add(component.bomRef)
  }
  const text = new JsonSerializer(new Serializing.Normalize.Factory(Spec1dot6)).serialize(bom, {
    sortLists: true,
    space: 2,
  })
  const fault = await new JsonStrictValidator(Version.v1dot6).validate(text)
  if (fault !== null)
    throw new Error(`the bill of materials does not match the CycloneDX schema: ${Bun.inspect(fault).slice(0, 4000)}`)
  return `${text}\n`
}

const KINDS = {
  application: ComponentType.Application,
  data: ComponentType.Data,
  library: ComponentType.Library,
} as const

function componentOf(each: Part, within: string): Component {
  const ref = `${within}/${each.name}${each.version === null ? '' : `@${each.version}`}`
  return new Component(KINDS[each.kind], each.name, {
    bomRef: ref,
    ...(each.version !== null && { version: each.version }),
    ...(each.purl !== null && { purl: each.purl }),
    ...(each.integrity?.startsWith('sha512-') === true && {
      hashes: new HashDictionary([
        [HashAlgorithm['SHA-512'], Buffer.from(each.integrity.slice('sha512-'.length), 'base64').toString('hex')],
      ]),
    }),
    licenses: licences(each.licence),
    components: new ComponentRepository(each.parts.map((inside) => componentOf(inside, ref))),
  })
}

function licences(expression: string): LicenseRepository {
  if (/ (AND|OR|WITH) /.test(expression)) return new LicenseRepository([new LicenseExpression(expression)])
  if (expression.includes(' ')) return new LicenseRepository([new NamedLicense(expression)])
  return new LicenseRepository([new SpdxLicense(expression)])
}
