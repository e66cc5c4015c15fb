import { type Content, type Html, html } from './html.ts'

/** Longer panels scroll, so that an example never grows past the text beside it. */
const LINES_SHOWN = 22

/** A titled block of code. One that scrolls is accessible by keyboard. */
export function codePanel(title: Content, label: string, code: Content, lines: number): Html {
  const scroll = lines > LINES_SHOWN ? html` tabindex="0" role="region" aria-label="${label}"` : undefined
  return html`<figure class="panel"><figcaption>${title}</figcaption><pre${scroll}><code>${code}</code></pre></figure>`
}

/** JSON, indented, its tokens marked for the style sheet. */
export function jsonPanel(title: Content, label: string, value: unknown): Html {
  const text = JSON.stringify(value, null, 2) ?? ''
  return codePanel(title, label, markTokens(text), lineCount(text))
}

export function textPanel(title: Content, label: string, text: string): Html {
  return codePanel(title, label, text, lineCount(text))
}

/** A shell command. Its start does not wrap, so that a long address begins beside it. */
export function commandPanel(title: Content, label: string, command: string): Html {
  const start = /^curl[^"]*"\$BASE/.exec(command)?.[0] ?? ''
  const code = [html`<span class="together">${start}</span>`, command.slice(start.length)]
  return codePanel(title, label, code, lineCount(command))
}

const lineCount = (text: string) => text.split('\n').length

const TOKEN = /("(?:\\.|[^"\\])*")(?=\s*:)|("(?:\\.|[^"\\])*")|(-?\d[\d.eE+-]*|true|false|null)/g

function markTokens(text: string): Content {
  const content: Content[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [token, key, string] = match
    content.push(text.slice(end, match.index), markToken(token, key, string))
    end = match.index + token.length
  }
  return [...content, text.slice(end)]
}

function markToken(token: string, key: string | undefined, string: string | undefined): Html {
  if (key !== undefined) return html`<span class="key">${token}</span>`
  return string === undefined ? html`<b>${token}</b>` : html`<i>${token}</i>`
}
