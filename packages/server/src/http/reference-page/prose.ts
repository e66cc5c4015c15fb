import { type Content, html } from './html.ts'

/** A wire name: in backticks, or recognisable by its underscores. */
const WIRE_NAME = /`([^`]+)`|\b([A-Za-z0-9]+(?:_[A-Za-z0-9]+)+)\b|(\(ours\))/g

/** Marks an addition of Continuity to the interface; links to Conventions, which explains it. */
export const extensionChip = html`<a class="chip chip-extension" href="#conventions">extension</a>`

/** A description in which wire names are set as code. */
export function prose(text: string): Content {
  const content: Content[] = []
  let end = 0
  for (const match of text.matchAll(WIRE_NAME)) {
    const [whole, quoted, bare] = match
    content.push(text.slice(end, match.index), wireName(quoted ?? bare))
    end = match.index + whole.length
  }
  return [...content, text.slice(end)]
}

const wireName = (name: string | undefined) =>
  name === undefined ? extensionChip : html`<code>${name}</code>`
