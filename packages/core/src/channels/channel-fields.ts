/** The fields of a channel that an editor sets. */
export interface ChannelFields {
  /** Shown to viewers. */
  readonly title: string
  readonly description: string
  /** Name of the channel for its operators. */
  readonly internalTitle: string
  /** Null for that of the account, here and in the next two. */
  readonly rescueSlateVideoId: string | null
  readonly timeFillVideoId: string | null
  readonly adSlateVideoId: string | null
  /** Null for none. */
  readonly fillerPlaylistId: string | null
  /** What guides list time without a program as; null for nothing. */
  readonly fillerTitle: string | null
}

export type ChannelDraft = Pick<ChannelFields, 'title'> & Partial<ChannelFields>

/** The list of channels is returned without paging, so their number is limited. */
export const CHANNELS_MAXIMUM = 10_000

/** A draft with defaults for missing fields. */
export function fillChannel(draft: ChannelDraft): ChannelFields {
  return { ...defaults, internalTitle: draft.title, ...draft }
}

const defaults = {
  description: '',
  rescueSlateVideoId: null,
  timeFillVideoId: null,
  adSlateVideoId: null,
  fillerPlaylistId: null,
  fillerTitle: null,
} as const
