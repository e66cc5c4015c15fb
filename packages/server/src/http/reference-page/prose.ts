import { type Content, html } from './html.ts'

/** A word of the wire: in backticks, or recognisable by its underscores. */
const WIRE_WORD = /`([^`]+)`|\b([A-Za-z0-9]+(?:_[A-Za-z0-9]+)+)\b|(\(ours\))/g

/** Marks what Continuity adds to the interface; it leads to Conventions, where its meaning is told once. */
export const extensionChip = html`<a class="chip chip-extension" href="#conventions">extension</a>`

/** A description in which the words of the wire are set as code. */
export function prose(text: string): Content {
  const content: Content[] = []
  let end = 0
  for (const match of text.matchAll(WIRE_WORD)) {
    const [whole, quoted, bare] = match
    content.push(text.slice(end, match.index), wireWord(quoted ?? bare))
    end = match.index + whole.length
  }
  return [...content, text.slice(end)]
}

const wireWord = (word: string | undefined) =>
  word === undefined ? extensionChip : html`<code>${word}</code>`
