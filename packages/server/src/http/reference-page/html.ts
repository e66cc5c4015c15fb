const markup: unique symbol = Symbol('markup')

/** Markup that is safe to send: only `html` creates it, and `html` escapes every value. */
export interface Html {
  readonly [markup]: string
}

export type Content = Html | string | number | undefined | readonly Content[]

/**
 * Builds markup. Text is escaped, markup is kept, lists are joined, undefined is empty.
 *
 * There is no bypass: a page that prints text of others must not depend on a caller that escapes it. Attribute values
 * are quoted in the template, because an unquoted one ends at the first space.
 */
export function html(parts: TemplateStringsArray, ...values: readonly Content[]): Html {
  const [first = '', ...others] = parts.map(outdent)
  return { [markup]: first + others.map((part, index) => toMarkup(values[index]) + part).join('') }
}

/** Puts text between the items, for lists inside a sentence. */
export function join(items: readonly Content[], separator: Content): Content {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]))
}

export const markupOf = (content: Html): string => content[markup]

function toMarkup(content: Content): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return escapeText(content)
  if (typeof content === 'number') return String(content)
  if (isHtml(content)) return content[markup]
  return content.map(toMarkup).join('')
}

const isHtml = (content: Html | readonly Content[]): content is Html => markup in content

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** Removes the indentation of the source, a fifth of the page. One line break stays, as a space. */
const outdent = (part: string) => part.replace(/\n\s*/g, '\n')
