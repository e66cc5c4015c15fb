import { type Attributes, readAttributes, readInteger, readQuoted } from './attributes.ts'
import type { Report } from './rules.ts'

interface Variants {
  readonly uris: Set<string>
  readonly seen: Set<string>
  /** The attributes of the variant whose URI comes next. */
  stream: string | undefined
}

const headers = ['#EXT-X-VERSION', '#EXT-X-INDEPENDENT-SEGMENTS']

/** Checks a multivariant playlist; returns it without the parts that may change. */
export function checkMultivariant(text: string, report: Report): string {
  const plain = withoutSid(text)
  const lines = plain.split(/\r?\n/)
  const variants: Variants = { uris: new Set(), seen: new Set(), stream: undefined }
  if (lines[0] !== '#EXTM3U') report('first-line', lines[0] ?? '')
  for (const line of lines.slice(1)) readLine(line, variants, report)
  if (variants.stream !== undefined) report('tag-order', 'variant without URI at the end')
  if (variants.uris.size === 0) report('variant-incomplete', 'no variants')
  return plain
}

/** Removes the query parameter that identifies the viewing session. */
const withoutSid = (text: string): string =>
  text.replaceAll(/([?&])sid=[^&\s"]*(&?)/g, (_, before: string, after: string) =>
    after === '' ? '' : before,
  )

function readLine(line: string, variants: Variants, report: Report): void {
  if (line.startsWith('#EXT')) readTag(line, variants, report)
  else if (line !== '' && !line.startsWith('#')) addVariant(line, variants, report)
}

function readTag(line: string, variants: Variants, report: Report): void {
  if (variants.stream !== undefined) report('tag-order', `${line} between a variant and its URI`)
  const name = line.split(':', 1)[0] ?? ''
  if (name === '#EXT-X-STREAM-INF') variants.stream = line.slice(name.length + 1)
  else if (!headers.includes(name)) report('unknown-tag', line)
  else if (variants.seen.has(name)) report('duplicate-tag', line)
  variants.seen.add(name)
}

function addVariant(uri: string, variants: Variants, report: Report): void {
  const { stream, uris } = variants
  const attributes = readAttributes(stream ?? '')
  if (stream === undefined) report('tag-order', `${uri} without EXT-X-STREAM-INF`)
  else if (attributes === undefined) report('malformed-value', stream)
  else if (!isComplete(attributes)) report('variant-incomplete', uri)
  if (uris.has(uri)) report('variant-uri-repeated', uri)
  uris.add(uri)
  variants.stream = undefined
}

const isComplete = (attributes: Attributes): boolean =>
  readInteger(attributes.get('BANDWIDTH')) !== undefined &&
  readQuoted(attributes.get('CODECS')) !== undefined &&
  /^\d+x\d+$/.test(attributes.get('RESOLUTION') ?? '')
