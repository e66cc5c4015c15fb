import sax from 'sax'
import { type Attributes, type MrssItem, newItem, type TextElement, textElements } from './mrss-item.ts'

export interface MrssParser {
  /** Takes chunks of text, cut anywhere, and returns the items that they complete. Throws a MrssFault if it is not XML. */
  push(text: string): MrssItem[]
  /** Throws a MrssFault if the file is incomplete. */
  end(): void
}

/** Why the rest of an MRSS file cannot be parsed. */
export class MrssFault extends Error {
  override readonly name = 'MrssFault'
}

/** The service's limit is 10,000 characters; with tags, a text may be longer. */
const TEXT_CHARACTERS = 200_000
const LIST_ENTRIES = 200

/**
 * Finds the items of an RSS 2.0 file with Media RSS in it.
 *
 * The parser supports the entities of XML and HTML. It ignores those that a
 * document type declares or refers to: an item that uses one is a parse error,
 * and nothing is expanded or fetched.
 */
export function createMrssParser(): MrssParser {
  const parser = new sax.SAXParser(true, { xmlns: true, position: true })
  let ready: MrssItem[] = []
  let item: MrssItem | undefined
  let text: { element: TextElement; label: string; value: string; depth: number } | undefined
  let failure: MrssFault | undefined // sax continues after an error; what it finds then is ignored

  const onText = (chunk: string) => {
    if (item === undefined || text === undefined) return
    if (text.value.length + chunk.length > TEXT_CHARACTERS) item.isTooLarge = true
    else text.value += chunk
  }
  const handlers: Partial<sax.SAXParser> = {
    onopentag(tag) {
      const name = nameOf(tag as sax.QualifiedTag)
      if (item === undefined) {
        if (name === 'item') item = newItem(parser.line + 1)
        return
      }
      if (text !== undefined) {
        text.depth += 1 // tags within a text belong to it
        return
      }
      const attributes = attributesOf(tag as sax.QualifiedTag)
      const element = textElements.find((known) => known === name)
      if (element !== undefined) text = { element, label: attributes['label'] ?? '', value: '', depth: 0 }
      if (name === 'media:content' || name === 'enclosure') keep(item, item.contents, attributes)
      if (name === 'media:thumbnail') keep(item, item.thumbnails, attributes)
    },
    ontext: onText,
    oncdata: onText,
    onclosetag(name) {
      if (item === undefined || failure !== undefined) return
      if (text !== undefined && text.depth > 0) {
        text.depth -= 1
      } else if (text !== undefined) {
        keepText(item, text)
        text = undefined
      } else if (name === 'item') {
        ready.push(item)
        item = undefined
      }
    },
    onerror(error) {
      // The further lines of the message repeat the position.
      failure ??= new MrssFault(`${error.message.split('\n')[0]}, line ${parser.line + 1}`)
    },
  }
  Object.assign(parser, handlers)

  return {
    push(chunk) {
      if (failure === undefined) parser.write(chunk)
      const items = ready
      ready = []
      if (failure !== undefined && items.length === 0) throw failure
      return items
    },
    end() {
      if (failure === undefined) parser.close()
      if (failure !== undefined) throw failure
    },
  }
}

const namespaces: readonly (readonly [RegExp, string])[] = [
  [/^https?:\/\/search\.yahoo\.com\/mrss\/?$/, 'media:'],
  [/^https?:\/\/purl\.org\/dc\/terms\/?$/, 'dcterms:'],
]

/** The name with our prefix for its namespace, whatever prefix the file uses. */
function nameOf({ uri, local, prefix }: sax.QualifiedTag): string {
  const known = namespaces.find(([pattern]) => pattern.test(uri))
  if (known !== undefined) return known[1] + local
  return prefix === '' ? local : `other:${local}`
}

const attributesOf = ({ attributes }: sax.QualifiedTag): Attributes =>
  Object.fromEntries(Object.values(attributes).map(({ local, value }) => [local, value]))

function keep(item: MrssItem, list: Attributes[], attributes: Attributes): void {
  if (list.length < LIST_ENTRIES) list.push(attributes)
  else item.isTooLarge = true
}

function keepText(item: MrssItem, text: { element: TextElement; label: string; value: string }): void {
  const value = text.value.trim()
  if (text.element === 'media:category') {
    const category = text.label.trim() || value
    if (item.categories.length >= LIST_ENTRIES) item.isTooLarge = true
    else if (category !== '') item.categories.push(category)
  } else if (value !== '' && !item.texts.has(text.element)) {
    item.texts.set(text.element, value)
  }
}
