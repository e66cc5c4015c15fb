import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The licences of all packages that a bundle contains parts of. Most require their text in every copy. */
export function printLicences(sources: readonly string[]): string {
  const folders = new Set(sources.flatMap((source) => folderOf(source) ?? []))
  const byText = Map.groupBy([...folders].toSorted(), licenceText)
  const parts = [...byText].map(([text, users]) => `${users.map(nameOf).join('\n')}\n\n${text}\n`)
  return `This folder contains code of the packages below.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`
}

/** The folder of the third-party package that a file belongs to. */
function folderOf(source: string): string | undefined {
  return /^\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(source)?.[0]
}

function licenceText(folder: string): string {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  return file === undefined
    ? '(The package has no file with the text.)'
    : readFileSync(join(folder, file), 'utf8').trim()
}

function nameOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
    readonly license?: string
  }
  return `${name} ${version}${license === undefined ? '' : ` (${license})`}`
}
