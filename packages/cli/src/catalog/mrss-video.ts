import type { VideoEntry } from '@continuity/client'
import sax from 'sax'
import type { Attributes, MrssItem } from './mrss-item.ts'

export type MrssVideo =
  | { readonly entry: VideoEntry; readonly leftOut: readonly string[] }
  | { readonly fault: string }

/**
 * Converts an item to a video.
 *
 * Fields that the item does not have are omitted, not set to empty, so that an
 * import does not change them. The service checks the limits.
 */
export function videoOf(item: MrssItem, sourceId: string): MrssVideo {
  if (item.isTooLarge) return { fault: 'is larger than the service allows' }
  const { texts } = item
  const guid = texts.get('guid')
  const title = texts.get('media:title') ?? texts.get('title')
  if (guid === undefined) return { fault: 'has no guid' }
  if (title === undefined) return { fault: 'has no title' }
  const media = mediaOf(item.contents)
  if (media.duration === undefined) return { fault: 'has no media:content with a duration' }
  const dates = datesOf(item)
  if ('fault' in dates) return dates
  const description = texts.get('media:description') ?? texts.get('description')
  const rating = texts.get('media:rating')
  const { images, leftOut } = imagesOf(item.thumbnails)
  return {
    entry: {
      type: 'video',
      source_id: sourceId,
      video_source_id: guid,
      title: plainText(title),
      duration: media.duration,
      ...(description === undefined ? {} : { description: plainText(description) }),
      ...(texts.has('media:keywords') ? { keywords: keywordsOf(texts.get('media:keywords') ?? '') } : {}),
      ...(item.categories.length > 0 ? { genres: genresOf(item.categories) } : {}),
      ...(rating === undefined ? {} : { parental_rating: rating }),
      ...dates,
      ...(images.length > 0 ? { images } : {}),
      ...media.addresses,
    },
    leftOut,
  }
}

function mediaOf(contents: readonly Attributes[]) {
  const hls = contents.filter(isHls)
  const files = contents.filter((content) => !isHls(content) && isVideo(content))
  const hlsUrl = best(hls)?.['url']
  const mp4Url = best(files)?.['url']
  const durations = [best(files), best(hls), ...contents].map((content) => secondsOf(content?.['duration']))
  return {
    duration: durations.find((seconds) => seconds !== undefined),
    addresses: {
      ...(hlsUrl === undefined ? {} : { hls_url: hlsUrl }),
      ...(mp4Url === undefined ? {} : { mp4_url: mp4Url }),
    },
  }
}

const pathOf = ({ url = '' }: Attributes): string => (url.split(/[?#]/)[0] ?? '').toLowerCase()

const isHls = (content: Attributes): boolean =>
  /^(application|audio)\/(x-mpegurl|vnd\.apple\.mpegurl)$/i.test(content['type'] ?? '') ||
  pathOf(content).endsWith('.m3u8')

function isVideo(content: Attributes): boolean {
  const { type = '', medium = '' } = content
  if (type !== '') return /^video\//i.test(type)
  return medium === 'video' || /\.(mp4|m4v|mov)$/.test(pathOf(content))
}

/** The one with isDefault, else the one with the highest bitrate, height or size. */
function best(contents: readonly Attributes[]): Attributes | undefined {
  const usable = contents.filter(({ url = '' }) => url !== '')
  const size = ({ bitrate, height, fileSize }: Attributes) =>
    Number(bitrate) || Number(height) || Number(fileSize) || 0
  return (
    usable.find(({ isDefault }) => isDefault === 'true') ?? usable.toSorted((a, b) => size(b) - size(a))[0]
  )
}

/** Seconds, as in the specification, or hours:minutes:seconds, as some partners write it. */
function secondsOf(duration: string | undefined): number | undefined {
  if (duration === undefined || !/^\s*(\d{1,4}:){0,2}\d{1,7}(\.\d+)?\s*$/.test(duration)) return undefined
  return Math.round(duration.split(':').reduce((sum, part) => sum * 60 + Number(part), 0))
}

type Dates = { date_published?: string; date_available?: string; date_expired?: string }

/** pubDate, and `start=…;end=…;` of dcterms:valid. An invalid date is an error: the video would be visible at a wrong time. */
function datesOf({ texts }: MrssItem): Dates | { readonly fault: string } {
  const valid = texts.get('dcterms:valid') ?? ''
  const written = {
    date_published: texts.get('pubDate'),
    date_available: /(?:^|;)\s*start\s*=\s*([^;]+)/i.exec(valid)?.[1],
    date_expired: /(?:^|;)\s*end\s*=\s*([^;]+)/i.exec(valid)?.[1],
  }
  const dates: Record<string, string> = {}
  for (const [field, text] of Object.entries(written)) {
    if (text === undefined) continue
    const instant = readInstant(text)
    if (instant === undefined) return { fault: `has an invalid date: "${text.trim()}"` }
    dates[field] = instant
  }
  return dates
}

const keywordsOf = (text: string): string[] => [
  ...new Set(
    plainText(text)
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ),
]

const genresOf = (categories: readonly string[]) =>
  [...new Set(categories)].map((genre) => ({ genre, sub_genre: '' }))

/** An image of the catalog needs a size, so thumbnails without one are left out. */
function imagesOf(thumbnails: readonly Attributes[]) {
  const whole = /^\d{1,6}$/
  const sized = thumbnails.filter(
    ({ url = '', width = '', height = '' }) => url !== '' && whole.test(width) && whole.test(height),
  )
  const images = sized.map(({ url = '', width, height }) => ({
    width: Number(width),
    height: Number(height),
    image_type: 'THUMBNAIL' as const,
    original_image_url: url,
  }))
  const missing = thumbnails.length - sized.length
  return { images, leftOut: Array.from({ length: missing }, () => 'thumbnails without width and height') }
}

const ZONE = /(?:Z|[+-]\d\d:?\d\d|\b(?:UT|UTC|GMT|[ECMP][SD]T))$/i

/** A time of an MRSS file (RFC 822 or W3C-DTF) in ISO 8601; undefined if it is invalid. Without a zone it is in UTC. */
export function readInstant(text: string): string | undefined {
  const trimmed = text.trim()
  const hasTime = /\d:\d\d/.test(trimmed)
  const atMs = Date.parse(
    !hasTime || ZONE.test(trimmed) ? trimmed : `${trimmed}${inIso(trimmed) ? 'Z' : ' GMT'}`,
  )
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString()
}

const inIso = (text: string): boolean => /^\d{4}-/.test(text)

/** The named entities of HTML, from sax. */
const { ENTITIES } = sax as unknown as { readonly ENTITIES: Readonly<Record<string, string>> }

/** Removes the tags from a text of an MRSS file, which is HTML, and decodes entities. */
export function plainText(html: string): string {
  return (
    html
      .replaceAll(/<(script|style)\b[^<>]*>[^<]*<\/\1\s*>/gi, ' ')
      .replaceAll(/<!--[^<>]*-->/g, ' ')
      .replaceAll(/<(?:br|\/p|\/div|\/li|\/h\d|\/tr)\b[^<>]*>/gi, '\n')
      // No "<" inside a tag: with it, a text of many "<" would take quadratic time.
      .replaceAll(/<[a-z/!?][^<>]*>/gi, '')
      .replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{1,31});/gi, (whole, name: string) => decode(name) ?? whole)
      .replaceAll(/[^\S\n]+/g, ' ')
      .replaceAll(/ ?\n ?/g, '\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  )
}

function decode(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}
