/** What an editor says of a channel. */
export interface ChannelFields {
  /** What viewers see. */
  readonly title: string
  readonly description: string
  /** What the channel is called inside the house. */
  readonly internalTitle: string
  /** Null for the account's own, here and in the next two. */
  readonly rescueSlateVideoId: string | null
  readonly timeFillVideoId: string | null
  readonly adSlateVideoId: string | null
  /** Null for none. */
  readonly fillerPlaylistId: string | null
}

export type ChannelDraft = Pick<ChannelFields, 'title'> & Partial<ChannelFields>

/** Each is one row of a bare list that is given whole, so their number has an end. */
export const CHANNELS_MAXIMUM = 10_000

/** A draft with all that was left out. */
export function fillChannel(draft: ChannelDraft): ChannelFields {
  return { ...unsaid, internalTitle: draft.title, ...draft }
}

const unsaid = {
  description: '',
  rescueSlateVideoId: null,
  timeFillVideoId: null,
  adSlateVideoId: null,
  fillerPlaylistId: null,
} as const
