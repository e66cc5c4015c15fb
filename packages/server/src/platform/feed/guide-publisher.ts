import { type FeedVersion, isNewer } from '@continuity/core/feed/feed-message'
import { DiscardPolicy, jetstream, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import type { Bus } from '../bus/bus.ts'
import { type CompletenessMarker, printMarker, readMarker } from './completeness-marker.ts'
import { FeedUnavailable } from './errors.ts'
import type { StoredMarker } from './feed-publisher.ts'
import { type FeedSigner, SIGNATURE_HEADER } from './feed-signature.ts'
import { ANSWER_MS, findStream, manageStreams } from './feed-stream.ts'
import {
  type FeedChannelId,
  GUIDE_MARKER_SUBJECT,
  GUIDE_STREAM,
  GUIDE_SUBJECTS,
  guideSubject,
} from './feed-subjects.ts'
import { type PackedGuide, readGuideVersion } from './guide-codec.ts'

/** Publishes guides to playout nodes. Every method rejects where NATS does not answer in time; callers retry. */
export interface GuidePublisher {
  /** Resolves when the stream has stored it, or has a newer one of the channel. */
  publishGuide(id: FeedChannelId, guide: PackedGuide): Promise<void>
  /** When the stream was created. A missing one is created. */
  ensureStream(): Promise<string>
  findMarker(): Promise<StoredMarker | undefined>
  publishMarker(marker: CompletenessMarker): Promise<void>
}

export interface GuidePublisherOptions {
  readonly replicas: number
  /** Undefined for a feed without signatures. */
  readonly signer?: FeedSigner | undefined
}

const MESSAGE_BYTES = 8 * 1024 * 1024

/**
 * A stream of its own: it keeps one message of a channel, where the stream of timelines keeps sixteen, and a node that
 * starts does not wait for it. Nodes of the release before do not read it.
 */
export function openGuidePublisher(bus: Bus, { replicas, signer }: GuidePublisherOptions): GuidePublisher {
  const onStream = async <T>(work: (nc: NatsConnection) => Promise<T>): Promise<T> => {
    const nc = bus.connection()
    if (nc === undefined) throw FeedUnavailable(new Error('not connected'))
    return work(nc)
  }
  const publish = async (nc: NatsConnection, subject: string, bytes: Uint8Array, after?: number) => {
    const signed = headers()
    if (signer !== undefined) signed.set(SIGNATURE_HEADER, signer.sign(subject, bytes))
    const expect = after === undefined ? {} : { expect: { lastSubjectSequence: after } }
    await jetstream(nc).publish(subject, bytes, { headers: signed, timeout: ANSWER_MS, ...expect })
  }
  const isTrusted = (subject: string, bytes: Uint8Array, signature: string | undefined) =>
    signer?.isValid(subject, bytes, signature) ?? true

  return {
    publishGuide: (id, guide) =>
      onStream(async (nc) => {
        const subject = guideSubject(id)
        const last = await getLast(nc, subject)
        const known: FeedVersion | undefined =
          last !== null && isTrusted(subject, last.data, last.header.get(SIGNATURE_HEADER))
            ? readGuideVersion(last.data)
            : undefined
        if (known !== undefined && isNewer(known, guide)) return
        // Rejected where another process has published one meanwhile.
        await publish(nc, subject, guide.bytes, last?.seq ?? 0)
      }),
    ensureStream: () =>
      onStream(async (nc) => {
        const { streams } = await manageStreams(nc)
        const found = await findStream(nc, GUIDE_STREAM)
        return (found ?? (await streams.add(configOf(replicas)))).created
      }),
    findMarker: () =>
      onStream(async (nc) => {
        const last = await getLast(nc, GUIDE_MARKER_SUBJECT)
        const signature = last?.header.get(SIGNATURE_HEADER)
        if (last === null || !isTrusted(GUIDE_MARKER_SUBJECT, last.data, signature)) return undefined
        const isCurrent = signer?.isCurrent(GUIDE_MARKER_SUBJECT, last.data, signature) ?? true
        return { ...readMarker(last.string()), isCurrent }
      }),
    publishMarker: (marker) =>
      onStream((nc) => publish(nc, GUIDE_MARKER_SUBJECT, new TextEncoder().encode(printMarker(marker)))),
  }
}

async function getLast(nc: NatsConnection, subject: string) {
  const { streams } = await manageStreams(nc)
  return streams.getMessage(GUIDE_STREAM, { last_by_subj: subject })
}

const configOf = (replicas: number) => ({
  name: GUIDE_STREAM,
  subjects: [GUIDE_SUBJECTS, GUIDE_MARKER_SUBJECT],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  num_replicas: replicas,
  max_msgs_per_subject: 1,
  max_msg_size: MESSAGE_BYTES,
})
