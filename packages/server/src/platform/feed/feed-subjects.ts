/** The channel of an update. A delta does not contain it: its subject does. */
export interface FeedChannelId {
  readonly accountId: string
  readonly channelId: string
}

export const FEED_STREAM = 'FEED'

/** Heartbeats: published by every worker once a second, with the time of its clock. */
export const HEARTBEAT_SUBJECT = 'feed.beat'

/** Completeness marker: which stream holds every channel, and in which epoch. A new stream has to be filled first. */
export const MARKER_SUBJECT = 'feed.mark'

/** Not stored: a node that misses updates of a channel requests a snapshot. */
export const SNAPSHOT_REQUEST_SUBJECT = 'feed.ask'

const UPDATES = 'feed.channel'

/** The updates of all channels. */
export const UPDATE_SUBJECTS = `${UPDATES}.*.*`

/** Without snapshot requests, which need not be stored. */
export const STORED_SUBJECTS: readonly string[] = [UPDATE_SUBJECTS, HEARTBEAT_SUBJECT, MARKER_SUBJECT]

/** The planned programs of channels, beside the timelines: the last message of each channel is complete. */
export const GUIDE_STREAM = 'GUIDE'

const GUIDES = 'guide.channel'
export const GUIDE_SUBJECTS = `${GUIDES}.*.*`

/** Marker of the stream of guides: workers have begun to publish every guide into it. */
export const GUIDE_MARKER_SUBJECT = 'guide.mark'

/** Where the stream delivers to the processes of a user. Not `_INBOX`, so that NATS can permit only these to nodes. */
export const deliverySubjects = (user: string): string => `${deliveryPrefix(user)}.*`

export const deliveryPrefix = (user: string): string => `feed.deliver.${user}`

export const updateSubject = (id: FeedChannelId): string => `${UPDATES}.${printChannelId(id)}`

export const readUpdateSubject = (subject: string): FeedChannelId | undefined =>
  subject.startsWith(`${UPDATES}.`) ? readChannelId(subject.slice(UPDATES.length + 1)) : undefined

export const guideSubject = (id: FeedChannelId): string => `${GUIDES}.${printChannelId(id)}`

export const readGuideSubject = (subject: string): FeedChannelId | undefined =>
  subject.startsWith(`${GUIDES}.`) ? readChannelId(subject.slice(GUIDES.length + 1)) : undefined

export const printChannelId = ({ accountId, channelId }: FeedChannelId): string => `${accountId}.${channelId}`

export function readChannelId(text: string): FeedChannelId | undefined {
  const [accountId = '', channelId = '', ...rest] = text.split('.')
  return accountId === '' || channelId === '' || rest.length > 0 ? undefined : { accountId, channelId }
}
