import type { ListedEntry } from './guide-entry.ts'
import { lineOf } from './xml-text.ts'

/** The guide of one channel. */
export interface ChannelGuide {
  readonly id: string
  /** Its names, the best known one first. */
  readonly names: readonly string[]
  readonly iconUrl?: string
  /** The title of filler time, where it is listed. */
  readonly fillerTitle?: string
  readonly entries: readonly ListedEntry[]
}

/** A channel without a name is listed by its id: a guide without names is useless. */
export function namesOf({ id, names }: ChannelGuide): readonly string[] {
  const given = names.filter((name) => lineOf(name) !== '')
  return given.length > 0 ? given : [id]
}

/** The title of an airing or of filler time; the name of the channel if it has none. */
export function titleOf(channel: ChannelGuide, { program }: ListedEntry): string {
  const title = program === null ? (channel.fillerTitle ?? '') : program.title
  return lineOf(title) === '' ? namesOf(channel)[0]! : title
}
