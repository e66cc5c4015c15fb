import { type ChannelGuide, namesOf, titleOf } from './channel-guide.ts'
import { episodeNumbersOf } from './episode-numbers.ts'
import type { GuideEntry } from './guide-entry.ts'
import { printLine, printParagraphs } from './xml-text.ts'

/**
 * The guide as XMLTV. No document type is named: a reader would go and look for the file beside ours.
 */
export const printXmltv = (channels: readonly ChannelGuide[]): string => [...xmltvPieces(channels)].join('')

/** The same, piece by piece, for a guide that is too long to hold at once. */
export function* xmltvPieces(channels: readonly ChannelGuide[]): Generator<string> {
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

/** The elements stand in the order that the DTD demands. */
function printProgramme(channel: ChannelGuide, entry: GuideEntry): string {
  const { description, details = {} } = entry.program
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

// An element that may hold text must hold some, so that a blank text has no element at all.
function element(name: string, text = '', attributes = ''): string {
  const printed = printLine(text)
  return printed === '' ? '' : `  <${name}${attributes}>${printed}</${name}>\n`
}

/** A description is the one text that may have several lines. */
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

/** XMLTV knows whole seconds: what lies within one of them would end where it begins. */
const hasLength = ({ startMs, endMs }: GuideEntry): boolean => secondsOf(endMs) > secondsOf(startMs)

/** 20261115180000 +0000 */
const printTime = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')} +0000`
