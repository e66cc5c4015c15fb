/** By what channels are listed, in the words of the wire, and what of a channel that is. */
export const channelSortFields = {
  lastModifiedDate: 'updatedMs',
  createdDate: 'createdMs',
  title: 'foldedTitle',
  linearChannelId: 'channelId',
} as const

export type ChannelSortField = (typeof channelSortFields)[keyof typeof channelSortFields]

export interface ChannelSort {
  readonly by: ChannelSortField
  readonly order: 'asc' | 'desc'
}

/** Reads `title.asc` and its like; undefined for what names no field or no order. */
export function readChannelSort(text: string): ChannelSort | undefined {
  const [, field = '', order] = /^(\w+)\.(asc|desc|ASC|DESC)$/.exec(text) ?? []
  if (!isSortField(field)) return undefined
  return { by: channelSortFields[field], order: order?.toLowerCase() === 'asc' ? 'asc' : 'desc' }
}

const isSortField = (field: string): field is keyof typeof channelSortFields =>
  Object.hasOwn(channelSortFields, field)
