import { parseXmltv, type XmltvProgramme } from '@iptv/xmltv'
import type { ChannelGuide } from '../channel-guide.ts'

/** A program as another parser reads it. */
export interface ReadProgramme {
  readonly channel: string
  readonly startMs: number
  readonly stopMs: number | undefined
  readonly title: string
  readonly subTitle: string
  readonly description: string
  readonly episodes: readonly string[]
}

export const readProgrammes = (text: string): ReadProgramme[] =>
  (parseXmltv(text).programmes ?? []).map(
    ({ channel, start, stop, title, subTitle, desc, episodeNum }: XmltvProgramme) => ({
      channel,
      startMs: start.getTime(),
      stopMs: stop?.getTime(),
      title: readText(title),
      subTitle: readText(subTitle),
      description: readText(desc),
      episodes: (episodeNum ?? []).map(({ system, _value }) => `${system} ${_value}`),
    }),
  )

/** The parser does not decode the five XML entities. */
const readText = (texts: readonly { _value: string }[] | undefined): string => {
  const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return (texts ?? [])
    .map(({ _value }) => _value.replaceAll(/&(\w+);/g, (_, name) => characters[name]!))
    .join('|')
}

/** The expected programs, computed from the guide without the printing code. */
export const expectedProgrammes = (guide: readonly ChannelGuide[]): ReadProgramme[] =>
  guide.flatMap(({ id, names, entries }) =>
    entries.map(({ program, startMs, endMs }) => ({
      channel: id,
      startMs: startMs - (startMs % 1_000),
      stopMs: endMs - (endMs % 1_000),
      title: [program?.title ?? '', ...names, id].map(oneLine).find((text) => text !== '')!,
      subTitle: oneLine(program?.details?.episodeTitle ?? ''),
      description: cleanText(program?.description ?? '').trim(),
      episodes: episodesOf(program?.details?.seasonNumber, program?.details?.episodeNumber),
    })),
  )

const oneLine = (text: string): string =>
  cleanText(text)
    .replaceAll(/[ \t\n]+/g, ' ')
    .trim()

function cleanText(text: string): string {
  const allowed = [...text].filter((character) => {
    const code = character.codePointAt(0)!
    if (code < 0x20) return '\t\n\r'.includes(character)
    return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || code > 0xffff
  })
  return allowed.join('').replaceAll(/\r\n|[\r\u0085\u2028\u2029]/g, '\n')
}

function episodesOf(season = -1, episode = -1): string[] {
  const counted = `${season > 0 ? season - 1 : ''}.${episode > 0 ? episode - 1 : ''}.`
  const two = (letter: string, number: number) =>
    number < 0 ? '' : `${letter}${number < 10 ? 0 : ''}${number}`
  const onscreen = two('S', season) + two('E', episode)
  return [
    ...(counted === '..' ? [] : [`xmltv_ns ${counted}`]),
    ...(onscreen === '' ? [] : [`onscreen ${onscreen}`]),
  ]
}
