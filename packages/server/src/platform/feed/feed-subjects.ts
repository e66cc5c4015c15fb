/** Which channel a step is of. A change alone does not say it: its subject does. */
export interface FeedChannelId {
  readonly accountId: string
  readonly channelId: string
}

export const FEED_STREAM = 'FEED'

/** Told by every worker once a second, with what its clock shows. */
export const BEAT_SUBJECT = 'feed.beat'

/** Completeness marker: which stream holds every channel, and in which epoch. A new stream has to be filled first. */
export const MARK_SUBJECT = 'feed.mark'

/** Not stored: a node that misses steps of a channel asks whoever listens for the whole. */
export const ASK_SUBJECT = 'feed.ask'

const STEPS = 'feed.channel'

/** The updates of all channels. */
export const STEP_SUBJECTS = `${STEPS}.*.*`

/** Without `feed.ask`, or every question would be kept for ever. */
export const STORED_SUBJECTS: readonly string[] = [STEP_SUBJECTS, BEAT_SUBJECT, MARK_SUBJECT]

/** Where the stream delivers to the processes of a user. Not `_INBOX`, so that NATS can let just these pass to nodes. */
export const deliverySubjects = (user: string): string => `${deliveryPrefix(user)}.*`

export const deliveryPrefix = (user: string): string => `feed.deliver.${user}`

export const stepSubject = (id: FeedChannelId): string => `${STEPS}.${printChannelId(id)}`

export const readStepSubject = (subject: string): FeedChannelId | undefined =>
  subject.startsWith(`${STEPS}.`) ? readChannelId(subject.slice(STEPS.length + 1)) : undefined

export const printChannelId = ({ accountId, channelId }: FeedChannelId): string => `${accountId}.${channelId}`

export function readChannelId(text: string): FeedChannelId | undefined {
  const [accountId = '', channelId = '', ...rest] = text.split('.')
  return accountId === '' || channelId === '' || rest.length > 0 ? undefined : { accountId, channelId }
}
