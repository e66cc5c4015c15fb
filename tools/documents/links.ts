import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** A link from a document to a file of the project, or to a heading. */
export interface Link {
  readonly document: string
  readonly line: number
  readonly target: string
}

const FENCE = /^\s*(```|~~~)/
const INLINE = /!?\[[^\]]*\]\(([^()\s]+(?:\([^()\s]*\))?)(?:\s+"[^"]*")?\)/g
const REFERENCE = /^\[[^\]]+\]:\s+(\S+)/
const HEADING = /^#{1,6}\s+(.*?)\s*#*\s*$/
const ANCHOR = /<a id="([^"]+)">/g

/** Links of a document outside of code, without those to other sites. */
export function linksIn(document: string, text: string): Link[] {
  return linesOutsideCode(text).flatMap(({ line, words }) => {
    const prose = words.replaceAll(/`[^`]*`/g, '``')
    const targets = [...prose.matchAll(INLINE)].map((found) => found[1]!)
    const reference = REFERENCE.exec(prose)?.[1]
    return [...targets, ...(reference === undefined ? [] : [reference])]
      .filter((target) => !/^[a-z][a-z+.-]*:/i.test(target))
      .map((target) => ({ document, line, target }))
  })
}

/** Why a link leads nowhere; undefined for a right one. Absolute addresses are those of a running system. */
export function findFault(root: string, { document, target }: Link): string | undefined {
  if (target.startsWith('/')) return 'is absolute: write it relative to its document'
  const [path, heading] = target.split('#', 2) as [string, string?]
  const file = join(root, dirname(document), decodeURIComponent(path))
  if (relative(root, file).startsWith('..')) return 'leaves the project'
  const found = path === '' ? join(root, document) : file
  if (!existsSync(found)) return 'does not exist'
  if (heading === undefined || statSync(found).isDirectory() || !found.endsWith('.md')) return undefined
  return anchorsOf(readFileSync(found, 'utf8')).has(heading) ? undefined : 'has no such heading'
}

/** As GitHub derives them from headings, and those that are written as HTML. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const { words } of linesOutsideCode(text)) {
    for (const [, id] of words.matchAll(ANCHOR)) anchors.add(id!)
    const heading = HEADING.exec(words)?.[1]
    if (heading === undefined) continue
    const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const base = plain.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')
    let anchor = base
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${base}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

function linesOutsideCode(text: string): { readonly line: number; readonly words: string }[] {
  let isCode = false
  return text.split('\n').flatMap((words, at) => {
    if (FENCE.test(words)) {
      isCode = !isCode
      return []
    }
    return isCode ? [] : [{ line: at + 1, words }]
  })
}
