import type { TextTerm } from './parse-query.ts'
import { longHash, shortHash } from './stable-hash.ts'
import { wordsOf } from './words.ts'

/** Labels that videos are found by in the index, and the letter of each there. */
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

/** What a video is searched by. */
export interface SearchedVideo {
  readonly title: string
  readonly keywords: readonly string[]
  readonly seriesTitle: string
  readonly description: string
  readonly labels: Readonly<Partial<Record<LabelField, readonly string[]>>>
}

export type TextField = 'title' | 'keywords' | 'series_title' | 'description'

/** Queries of PostgreSQL's text search; null where there is nothing to ask. */
export interface TextMatch {
  /** For terms; `~` stands for the number of the tier. Null where only exclusions are asked for. */
  readonly terms: string | null
  /** For words with their places, where terms alone cannot tell. */
  readonly exact: string | null
  /** The whole query, for words with their places: it tells of any one video whether it matches. */
  readonly whole: string | null
  /** What matches are ranked by, for words with their places. */
  readonly rank: string | null
  /** What the words of a video match if its title is all that was asked for. */
  readonly title: string | null
}

/** The letter that PostgreSQL knows a field's words by. Those of D are written without it. */
const weights: Readonly<Record<TextField, string>> = {
  title: 'A',
  keywords: 'B',
  series_title: 'C',
  description: 'D',
}

/** Before a word that is in the field. A description's words have none: they are most of the index. */
const prefixes = { title: 't.', keywords: 'k.', series_title: 's.', description: '' } as const

/** Fields, and keywords among themselves, lie so far apart that no phrase reaches across. */
const GAP = 10

/** PostgreSQL keeps no higher place of a word, and no more places than these. */
const LAST_PLACE = 16_383
const MOST_PLACES = 255

/** PostgreSQL refuses a vector of 1 MiB. Only a record made to be large comes near; the end of it is not found. */
const MOST_BYTES = 1_000_000

/** A tier's number changes when videos are moved, so each counts as the longest, with its slash. */
const TIER_BYTES = 11

/** A label longer than this in the index is cut, and a hash tells it apart. */
const LABEL_LENGTH = 200

/**
 * What the index holds of a video, as a vector without places: its words, those
 * of the title, the keywords and the series title once more by their field, its
 * pairs of neighbouring words, and its labels.
 *
 * No term holds a quote, a backslash, a space or `~`, so the number of the tier
 * can be replaced in the text. Words are letters, digits and marks only, so a
 * term of another kind never equals one.
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

/** A video's words with their places and weights, as a vector. */
export function rankedWordsOf(video: SearchedVideo): string {
  const placesByWord = new Map<string, string[]>()
  let place = 0
  for (const { field, words } of stretchesOf(video)) {
    const weight = field === 'description' ? '' : weights[field]
    for (const word of words) {
      place = Math.min(place + 1, LAST_PLACE)
      const places = placesByWord.get(word)
      if (places === undefined) placesByWord.set(word, [`${place}${weight}`])
      else if (canTakePlace(places)) places.push(`${place}${weight}`)
    }
    place += GAP
  }
  const words = [...placesByWord].map(([word, places]) => `'${word}':${places.join(',')}`)
  return [...words, `'${titleTerm(wordsOf(video.title))}'`].join(' ')
}

/** Words that somebody may mistype. */
export function distinctWordsOf(video: SearchedVideo): string[] {
  const words = new Set(stretchesOf(video).flatMap((stretch) => stretch.words))
  return [...words].filter(isMistypable)
}

/** Whether others may be meant by a word: not by a number, nor by one that is very short or very long. */
export const isMistypable = (word: string): boolean => /^.{3,40}$/u.test(word) && /\p{L}/u.test(word)

/** What all terms of a query ask of some fields, or of every field where none is named. */
export function compileText(text: readonly TextTerm[], fields: readonly TextField[]): TextMatch {
  const places = placesAsked(fields)
  const positive = text.filter((term) => !term.isExcluded)
  const isDecided = (term: TextTerm) => places.isTold && term.words.length === 1
  const inTerms = text.filter((term) => !term.isExcluded || isDecided(term))
  const isExactNeeded = !text.every(isDecided) || (positive.length === 0 && text.length > 0)
  const whole = text.length === 0 ? null : all(text.map((term) => wordQuery(term, places)))
  const isTitleAsked = fields.length === 0 || fields.includes('title')
  return {
    terms: positive.length === 0 ? null : all(inTerms.flatMap((term) => termQueries(term, places))),
    exact: isExactNeeded ? whole : null,
    whole,
    rank: positive.length === 0 ? null : all(positive.map((term) => wordQuery(term, places))),
    title:
      positive.length === 0 || !isTitleAsked
        ? null
        : `'${titleTerm(positive.flatMap(({ words }) => words))}'`,
  }
}

/** Asks for any of the values; for what no video has where there are none. */
export function labelTerms(field: LabelField, values: readonly string[]): string {
  if (values.length === 0) return "('~/=')"
  return any(values.map((value) => `'~/${labelTerm(field, value)}'`))
}

interface Stretch {
  readonly field: TextField
  readonly words: readonly string[]
}

/**
 * The stretches of words that a phrase can lie in. The longest comes last, so
 * that its own end is what the limits above take away.
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

/** Reading a text takes longer than all that is done with its words, and a write asks for them three times. */
const knownStretches = new WeakMap<SearchedVideo, readonly Stretch[]>()

/** The whole title as one. No word begins with a sign, so none is ever taken for it. */
const titleTerm = (words: readonly string[]) => `=${longHash(words.join(' '))}`

/** Neighbours, by a hash: few terms more for the index, and few videos that a phrase is sought in for nothing. */
const pairsOf = (words: readonly string[]) =>
  words.slice(1).map((word, at) => `+${shortHash(`${words[at]} ${word}`)}`)

function labelTerm(field: LabelField, value: string): string {
  const encoded = encodeURIComponent(value.toWellFormed()).replaceAll(/[!'()*~]/g, percentEncode)
  const isShort = encoded.length <= LABEL_LENGTH
  return `=${labelCodes[field]}${isShort ? encoded : `${encoded.slice(0, LABEL_LENGTH)}+${longHash(value)}`}`
}

const percentEncode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** A unit of UTF-16 takes three bytes at most. */
function withinBytes(terms: readonly string[]): readonly string[] {
  let bytes = 0
  const end = terms.findIndex((term) => {
    bytes += TIER_BYTES + 3 * term.length
    return bytes > MOST_BYTES
  })
  return end === -1 ? terms : terms.slice(0, end)
}

/** The last place is that of all words behind it as well, and a word takes it once. */
const canTakePlace = (places: readonly string[]) =>
  places.length < MOST_PLACES && !places.at(-1)?.startsWith(`${LAST_PLACE}`)

interface PlacesAsked {
  readonly prefixes: readonly string[]
  readonly weights: string
  /** Whether terms tell of a word that it is in one of the fields. */
  readonly isTold: boolean
}

function placesAsked(fields: readonly TextField[]): PlacesAsked {
  const distinct = [...new Set(fields)]
  if (distinct.length === 0 || distinct.length === 4) return { prefixes: [''], weights: '', isTold: true }
  const isTold = !distinct.includes('description')
  return {
    prefixes: isTold ? distinct.map((field) => prefixes[field]) : [''],
    weights: `:${distinct
      .map((field) => weights[field])
      .toSorted()
      .join('')}`,
    isTold,
  }
}

function termQueries({ words, isExcluded }: TextTerm, asked: PlacesAsked): string[] {
  const ofWords = words.map((word) => any(asked.prefixes.map((prefix) => `'~/${prefix}${word}'`)))
  if (isExcluded) return ofWords.map((query) => `!${query}`)
  return [...ofWords, ...pairsOf(words).map((pair) => `'~/${pair}'`)]
}

function wordQuery({ words, isExcluded }: TextTerm, asked: PlacesAsked): string {
  const phrase = words.map((word) => `'${word}'${asked.weights}`).join(' <-> ')
  return `${isExcluded ? '!' : ''}${words.length > 1 ? `(${phrase})` : phrase}`
}

const all = (queries: readonly string[]) => [...new Set(queries)].join(' & ')
const any = (queries: readonly string[]) =>
  queries.length > 1 ? `(${queries.join(' | ')})` : queries.join('')
