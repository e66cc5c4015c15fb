/** Sort fields on the wire, and the fields of a channel. */
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

/** Reads a sort such as `title.asc`; undefined if the field or the direction is unknown. */
export function readChannelSort(text: string): ChannelSort | undefined {
  const [, field = '', order] = /^(\w+)\.(asc|desc|ASC|DESC)$/.exec(text) ?? []
  if (!isSortField(field)) return undefined
  return { by: channelSortFields[field], order: order?.toLowerCase() === 'asc' ? 'asc' : 'desc' }
}

const isSortField = (field: string): field is keyof typeof channelSortFields =>
  Object.hasOwn(channelSortFields, field)
