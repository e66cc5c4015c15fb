import { operationList, type Version } from '@continuity/contract'
import type { ErrorKind } from '../../platform/errors.ts'
import { areaOf } from './guide.ts'

export const versions: readonly Version[] = ['2.1', '2.3']

export const readersDocumentAddress = (version: Version): string => `/docs/${version}.json`

/** Nothing is requested from another origin, and nothing is sent to one: no telemetry, fonts, proxy or services of Scalar. */
const configuration = {
  sources: versions.map((version) => ({
    title: `Continuity ${version}`,
    slug: slugOf(version),
    url: readersDocumentAddress(version),
  })),
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: [['credential', 'device']] },
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  showOperationId: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  customCss: '.markdown td code, .markdown th { white-space: nowrap }',
}

/** Runs before Scalar's script, and starts it. `/docs#CODE`, which problems link to, and `/docs#operationId` lead to their place on the page. */
export function startScript(errors: readonly ErrorKind[]): string {
  const places = Object.fromEntries([
    ...errors.map(({ code }) => [`#${code}`, `#${slugOf('2.1')}/description/${areaOf(code)}`]),
    ...operationList.map(({ id, group, version }) => [
      `#${id}`,
      `#${slugOf(version)}/tag/${toSlug(group)}/${id}`,
    ]),
  ])
  return `// Scalar's validator would try eval, which the page's policy forbids.
globalThis.__zod_globalConfig = { jitless: true }
const places = ${JSON.stringify(places)}
addEventListener('DOMContentLoaded', () => {
  Scalar.createApiReference('#reference', {
    ...${JSON.stringify(configuration)},
    generateOperationSlug: ({ operationId }) => operationId,
    redirect: (hash) => places[hash],
  })
})
`
}

function slugOf(version: Version): string {
  return `v${version.replace('.', '-')}`
}

const toSlug = (text: string) => text.toLowerCase().replaceAll(' ', '-')
