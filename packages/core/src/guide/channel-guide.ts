import type { GuideEntry } from './guide-entry.ts'
import { lineOf } from './xml-text.ts'

/** What a guide file tells of one channel. */
export interface ChannelGuide {
  readonly id: string
  /** What it is called, the best known name first. */
  readonly names: readonly string[]
  readonly iconUrl?: string
  readonly entries: readonly GuideEntry[]
}

/** A channel whose names are all blank goes by its id: a guide without a name is of use to nobody. */
export function namesOf({ id, names }: ChannelGuide): readonly string[] {
  const given = names.filter((name) => lineOf(name) !== '')
  return given.length > 0 ? given : [id]
}

/** What an airing is called: where the program has no title, as the channel is. */
export const titleOf = (channel: ChannelGuide, { program }: GuideEntry): string =>
  lineOf(program.title) === '' ? namesOf(channel)[0]! : program.title
