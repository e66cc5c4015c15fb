import type { ProgramDetails } from '../timeline/span.ts'
import { type ChannelGuide, namesOf, titleOf } from './channel-guide.ts'
import type { ListedEntry } from './guide-entry.ts'
import { printLine, printParagraphs } from './xml-text.ts'

/** The guide as XMLTV. Without a document type, because a reader would look for the DTD next to the file. */
export const printXmltv = (channels: readonly ChannelGuide[]): string => [...xmltvChunks(channels)].join('')

/** The same in chunks, for a guide that is too long to keep in memory. */
export function* xmltvChunks(channels: readonly ChannelGuide[]): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<tv generator-info-name="continuity">\n'
  for (const channel of channels) yield printChannel(channel)
  for (const channel of channels) {
    for (const entry of channel.entries) if (hasLength(entry)) yield printProgramme(channel, entry)
  }
  yield '</tv>\n'
}

function printChannel(channel: ChannelGuide): string {
  const lines = [...namesOf(channel).map((name) => element('display-name', name)), icon(channel.iconUrl)]
  return `<channel id="${printLine(channel.id)}">\n${lines.join('')}</channel>\n`
}

/** The elements are in the order of the DTD. */
function printProgramme(channel: ChannelGuide, entry: ListedEntry): string {
  const { description = '', details = {} } = entry.program ?? {}
  const times = `start="${printTime(entry.startMs)}" stop="${printTime(entry.endMs)}"`
  const lines = [
    element('title', titleOf(channel, entry)),
    element('sub-title', details.episodeTitle),
    paragraphs('desc', description),
    ...(details.genres ?? []).map((genre) => element('category', genre)),
    element('language', details.language),
    `  <length units="seconds">${secondsOf(entry.endMs) - secondsOf(entry.startMs)}</length>\n`,
    icon(details.imageUrl),
    ...episodeNumbersOf(details).map(({ system, value }) =>
      element('episode-num', value, ` system="${system}"`),
    ),
    rating(details.parentalRating),
    element('image', details.imageUrl),
  ]
  return `<programme ${times} channel="${printLine(channel.id)}">\n${lines.join('')}</programme>\n`
}

// The DTD requires text in these elements, so a blank text has no element.
function element(name: string, text = '', attributes = ''): string {
  const printed = printLine(text)
  return printed === '' ? '' : `  <${name}${attributes}>${printed}</${name}>\n`
}

/** Only a description may have several lines. */
function paragraphs(name: string, text: string): string {
  const printed = printParagraphs(text)
  return printed === '' ? '' : `  <${name}>${printed}</${name}>\n`
}

function icon(url = ''): string {
  const printed = printLine(url)
  return printed === '' ? '' : `  <icon src="${printed}"/>\n`
}

function rating(text = ''): string {
  const printed = printLine(text)
  return printed === '' ? '' : `  <rating><value>${printed}</value></rating>\n`
}

const secondsOf = (ms: number): number => Math.floor(ms / 1_000)

/** XMLTV has whole seconds: an airing within one second would end where it begins. */
const hasLength = ({ startMs, endMs }: ListedEntry): boolean => secondsOf(endMs) > secondsOf(startMs)

/** 20261115180000 +0000 */
const printTime = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')} +0000`

interface EpisodeNumber {
  readonly system: 'xmltv_ns' | 'onscreen'
  readonly value: string
}

/** The number of an episode in both notations of XMLTV; empty if unknown. */
export function episodeNumbersOf({ seasonNumber, episodeNumber }: ProgramDetails): EpisodeNumber[] {
  const numbers: EpisodeNumber[] = []
  const counted = `${countFromZero(seasonNumber)}.${countFromZero(episodeNumber)}.`
  const onscreen = `${printNumber('S', seasonNumber)}${printNumber('E', episodeNumber)}`
  if (counted !== '..') numbers.push({ system: 'xmltv_ns', value: counted })
  if (onscreen !== '') numbers.push({ system: 'onscreen', value: onscreen })
  return numbers
}

/** `xmltv_ns` counts from zero, so it cannot express season 0, which contains specials. */
const countFromZero = (number: number | undefined): string =>
  number !== undefined && number >= 1 ? String(number - 1) : ''

const printNumber = (letter: string, number: number | undefined): string =>
  number !== undefined && number >= 0 ? `${letter}${String(number).padStart(2, '0')}` : ''
