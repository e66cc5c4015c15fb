/** A `channel.changed` event. Followers do not read its data, so any subject and title will do. */
export const anEvent = (subjectId: string, title = '') =>
  ({
    kind: 'channel.changed',
    subjectId,
    data: {
      linear_channel_id: subjectId,
      title,
      status: 'ON_AIR',
      linear_channel_override_status: 'SCHEDULED',
    },
  }) as const
