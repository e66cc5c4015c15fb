import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '@continuity/dev/project-root'

/** Of one version of the changelog; relative links become those of an address. Undefined where it has no dated section. */
export function releaseNotes(changelog: string, version: string, address: string): string | undefined {
  const sections = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`${version} (`))
  if (section === undefined) return undefined
  const [title = '', ...lines] = section.split('\n')
  if (!/\(\d{4}-\d{2}-\d{2}\)$/.test(title)) return undefined
  return lines
    .join('\n')
    .trim()
    .replaceAll(/\]\((?![a-z]+:|#)/g, `](${address}`)
}

if (import.meta.main) {
  const [version = '', address = ''] = process.argv.slice(2)
  const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
  const { version: own } = JSON.parse(read('package.json')) as { version: string }
  const notes = releaseNotes(read('CHANGELOG.md'), version, address)
  if (version !== own) throw new Error(`package.json has version ${own}, not ${version}`)
  if (notes === undefined) throw new Error(`CHANGELOG.md has no dated section of ${version}`)
  console.log(notes)
}
