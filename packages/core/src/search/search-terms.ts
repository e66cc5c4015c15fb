import type { TextTerm } from './parse-query.ts'
import { wordsOf } from './words.ts'

/** Labels that are indexed, and the letter of each in the index. */
export const labelCodes = {
  channel_id: 'c',
  series_id: 's',
  brand_id: 'b',
  source_id: 'o',
  status: 'x',
  audio_language: 'l',
  country_origin: 'n',
  content_format: 'f',
  content_type: 't',
  cut: 'u',
  periodicity: 'p',
  parental_rating: 'r',
  genre: 'g',
  sub_genre: 'h',
} as const
export type LabelField = keyof typeof labelCodes

/** The searched fields of a video. */
export interface SearchedVideo {
  readonly title: string
  readonly keywords: readonly string[]
  readonly seriesTitle: string
  readonly description: string
  readonly labels: Readonly<Partial<Record<LabelField, readonly string[]>>>
}

export type TextField = 'title' | 'keywords' | 'series_title' | 'description'

/** PostgreSQL text search queries; null if there is nothing to query. */
export interface TextMatch {
  /** For terms; `~` stands for the number of the tier. Null if the query has only exclusions. */
  readonly terms: string | null
  /** For words with positions, if terms alone are not sufficient. */
  readonly exact: string | null
  /** The whole query, for words with positions: it decides whether any one video matches. */
  readonly whole: string | null
  /** Query for ranking matches, for words with positions. */
  readonly rank: string | null
  /** Matches a video whose title is exactly the query. */
  readonly title: string | null
}

/** The PostgreSQL weight of a field's words. D is the default, and is omitted. */
const weights: Readonly<Record<TextField, string>> = {
  title: 'A',
  keywords: 'B',
  series_title: 'C',
  description: 'D',
}

/** Prefix of a word that is in the field. Words of descriptions have none: they are most of the index. */
const prefixes = { title: 't.', keywords: 'k.', series_title: 's.', description: '' } as const

/** Distance between fields, and between keywords, so that no phrase spans two of them. */
const GAP = 10

/** PostgreSQL limits the position of a word, and the number of positions per word. */
const LAST_POSITION = 16_383
const MOST_POSITIONS = 255

/** PostgreSQL rejects a vector of 1 MiB. Only an artificially large record comes near; its end is not indexed. */
const MOST_BYTES = 1_000_000

/** The number of a tier changes when videos are moved, so the longest is assumed, with its slash. */
const TIER_BYTES = 11

/** A longer label is cut in the index, and made unique by a hash. */
const LABEL_LENGTH = 200

/**
 * The index entries of a video, as a vector without positions: its words, those of the title, the keywords and
 * the series title once more by their field, its pairs of adjacent words, and its labels.
 *
 * No term contains a quote, a backslash, a space or `~`, so the number of the tier can be replaced in the text.
 * Words consist of letters, digits and marks only, so a term of another kind never equals one.
 */
export function termsOf(video: SearchedVideo, tier: number): string {
  const terms = new Set<string>()
  for (const field of Object.keys(labelCodes) as LabelField[]) {
    for (const value of video.labels[field] ?? []) terms.add(labelTerm(field, value))
  }
  for (const { field, words } of stretchesOf(video)) {
    for (const word of words) terms.add(word).add(prefixes[field] + word)
    for (const pair of pairsOf(words)) terms.add(pair)
  }
  return withinBytes([...terms])
    .map((term) => `'${tier}/${term}'`)
    .join(' ')
}

/** The words of a video with their positions and weights, as a vector. */
export function rankedWordsOf(video: SearchedVideo): string {
  const positionsByWord = new Map<string, string[]>()
  let position = 0
  for (const { field, words } of stretchesOf(video)) {
    const weight = field === 'description' ? '' : weights[field]
    for (const word of words) {
      position = Math.min(position + 1, LAST_POSITION)
      const positions = positionsByWord.get(word)
      if (positions === undefined) positionsByWord.set(word, [`${position}${weight}`])
      else if (canAddPosition(positions)) positions.push(`${position}${weight}`)
    }
    position += GAP
  }
  const words = [...positionsByWord].map(([word, positions]) => `'${word}':${positions.join(',')}`)
  return [...words, `'${titleTerm(wordsOf(video.title))}'`].join(' ')
}

/** Words that users may mistype. */
export function distinctWordsOf(video: SearchedVideo): string[] {
  const words = new Set(stretchesOf(video).flatMap((stretch) => stretch.words))
  return [...words].filter(isMistypable)
}

/** Whether a word can be a typing error: not a number, nor a very short or very long word. */
export const isMistypable = (word: string): boolean => /^.{3,40}$/u.test(word) && /\p{L}/u.test(word)

/** Compiles the terms of a query for the given fields, or for all fields if none is given. */
export function compileText(text: readonly TextTerm[], fields: readonly TextField[]): TextMatch {
  const searched = searchedFields(fields)
  const positive = text.filter((term) => !term.isExcluded)
  const isDecided = (term: TextTerm) => searched.isDecidable && term.words.length === 1
  const inTerms = text.filter((term) => !term.isExcluded || isDecided(term))
  const isExactNeeded = !text.every(isDecided) || (positive.length === 0 && text.length > 0)
  const whole = text.length === 0 ? null : all(text.map((term) => wordQuery(term, searched)))
  const isTitleSearched = fields.length === 0 || fields.includes('title')
  return {
    terms: positive.length === 0 ? null : all(inTerms.flatMap((term) => termQueries(term, searched))),
    exact: isExactNeeded ? whole : null,
    whole,
    rank: positive.length === 0 ? null : all(positive.map((term) => wordQuery(term, searched))),
    title:
      positive.length === 0 || !isTitleSearched
        ? null
        : `'${titleTerm(positive.flatMap(({ words }) => words))}'`,
  }
}

/** Matches any of the values; without values, matches no video. */
export function labelTerms(field: LabelField, values: readonly string[]): string {
  if (values.length === 0) return "('~/=')"
  return any(values.map((value) => `'~/${labelTerm(field, value)}'`))
}

interface Stretch {
  readonly field: TextField
  readonly words: readonly string[]
}

/**
 * The sequences of words within which a phrase can match. The longest is last, so that the limits above cut its
 * end.
 */
function stretchesOf(video: SearchedVideo): readonly Stretch[] {
  const known = knownStretches.get(video)
  if (known !== undefined) return known
  const stretches: Stretch[] = [
    { field: 'title', words: wordsOf(video.title) },
    { field: 'series_title', words: wordsOf(video.seriesTitle) },
    ...video.keywords.map((keyword): Stretch => ({ field: 'keywords', words: wordsOf(keyword) })),
    { field: 'description', words: wordsOf(video.description) },
  ]
  knownStretches.set(video, stretches)
  return stretches
}

/** Splitting a text takes longer than everything done with its words, and a write needs them three times. */
const knownStretches = new WeakMap<SearchedVideo, readonly Stretch[]>()

/** The whole title as one term. No word begins with a sign, so it never equals a word. */
const titleTerm = (words: readonly string[]) => `=${longHash(words.join(' '))}`

/** Adjacent words, as a hash: few additional terms, and few videos to check for a phrase in vain. */
const pairsOf = (words: readonly string[]) =>
  words.slice(1).map((word, at) => `+${shortHash(`${words[at]} ${word}`)}`)

function labelTerm(field: LabelField, value: string): string {
  const encoded = encodeURIComponent(value.toWellFormed()).replaceAll(/[!'()*~]/g, percentEncode)
  const isShort = encoded.length <= LABEL_LENGTH
  return `=${labelCodes[field]}${isShort ? encoded : `${encoded.slice(0, LABEL_LENGTH)}+${longHash(value)}`}`
}

const percentEncode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** A UTF-16 unit takes at most three bytes. */
function withinBytes(terms: readonly string[]): readonly string[] {
  let bytes = 0
  const end = terms.findIndex((term) => {
    bytes += TIER_BYTES + 3 * term.length
    return bytes > MOST_BYTES
  })
  return end === -1 ? terms : terms.slice(0, end)
}

/** All words after the last position share it, and each word takes it once. */
const canAddPosition = (positions: readonly string[]) =>
  positions.length < MOST_POSITIONS && !positions.at(-1)?.startsWith(`${LAST_POSITION}`)

interface SearchedFields {
  readonly prefixes: readonly string[]
  readonly weights: string
  /** Whether terms are sufficient to decide that a word is in one of the fields. */
  readonly isDecidable: boolean
}

function searchedFields(fields: readonly TextField[]): SearchedFields {
  const distinct = [...new Set(fields)]
  if (distinct.length === 0 || distinct.length === 4)
    return { prefixes: [''], weights: '', isDecidable: true }
  const isDecidable = !distinct.includes('description')
  return {
    prefixes: isDecidable ? distinct.map((field) => prefixes[field]) : [''],
    weights: `:${distinct
      .map((field) => weights[field])
      .toSorted()
      .join('')}`,
    isDecidable,
  }
}

function termQueries({ words, isExcluded }: TextTerm, searched: SearchedFields): string[] {
  const ofWords = words.map((word) => any(searched.prefixes.map((prefix) => `'~/${prefix}${word}'`)))
  if (isExcluded) return ofWords.map((query) => `!${query}`)
  return [...ofWords, ...pairsOf(words).map((pair) => `'~/${pair}'`)]
}

function wordQuery({ words, isExcluded }: TextTerm, searched: SearchedFields): string {
  const phrase = words.map((word) => `'${word}'${searched.weights}`).join(' <-> ')
  return `${isExcluded ? '!' : ''}${words.length > 1 ? `(${phrase})` : phrase}`
}

const all = (queries: readonly string[]) => [...new Set(queries)].join(' & ')
const any = (queries: readonly string[]) =>
  queries.length > 1 ? `(${queries.join(' | ')})` : queries.join('')

// FNV-1a over the UTF-16 units of a text. Its values are in stored rows, so it may never change.

/** 12 bits, in base 36. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return ((hash ^ (hash >>> 12) ^ (hash >>> 24)) & 0xfff).toString(36)
}

/** 64 bits, in hex. */
export function longHash(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n)
  }
  return hash.toString(16).padStart(16, '0')
}
