import type { GuideEntry } from './guide-entry.ts'
import { lineOf } from './xml-text.ts'

/** The guide of one channel. */
export interface ChannelGuide {
  readonly id: string
  /** Its names, the best known one first. */
  readonly names: readonly string[]
  readonly iconUrl?: string
  readonly entries: readonly GuideEntry[]
}

/** A channel without a name is listed by its id: a guide without names is useless. */
export function namesOf({ id, names }: ChannelGuide): readonly string[] {
  const given = names.filter((name) => lineOf(name) !== '')
  return given.length > 0 ? given : [id]
}

/** The title of an airing; the name of the channel if the program has none. */
export const titleOf = (channel: ChannelGuide, { program }: GuideEntry): string =>
  lineOf(program.title) === '' ? namesOf(channel)[0]! : program.title
