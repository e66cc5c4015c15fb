import type { LiveSource } from '../shared/wire-types.ts'

const reasons: Readonly<Record<string, string>> = {
  'source.address_forbidden': 'Its address may not be fetched.',
  'source.unreachable': 'Its server cannot be reached, or the connection breaks.',
  'source.status': 'Its server returns an error.',
  'source.redirects': 'Its address redirects too often.',
  'source.too_slow': 'Its server does not respond in time, or sends too little.',
  'source.too_large': 'A playlist or a segment is too large.',
  'source.not_hls': 'The address does not lead to an HLS playlist.',
  'source.playlist_invalid': 'Its playlist breaks the rules of HLS.',
  'source.encrypted': 'It is encrypted in a way that is not supported.',
  'source.key_invalid': 'Its key does not decrypt the segments.',
  'source.not_live': 'It is a recording, not a live stream.',
  'source.frozen': 'It has stopped: no new segment arrives.',
  'source.undecodable': 'Its segments cannot be decoded.',
  'source.no_video': 'It has no picture.',
  'source.no_audio': 'It has no sound.',
  'source.no_key_frame': 'Its segments do not begin with a key frame.',
  'source.receiver_too_slow': 'The receiver cannot encode it fast enough.',
  'source.no_receiver': 'No receiver has taken it: none runs, or none has capacity.',
}

/** What the status means for an operator. */
export function statusText({ status, status_detail: detail }: LiveSource): string {
  return {
    IDLE: 'Not received. Activate it before a cut.',
    PROCESSING: 'Starting or stopping; a start takes 30 seconds at most.',
    ACTIVE: 'Received. Channels can be cut to it.',
    ERROR: detail === null ? 'It is not received.' : (reasons[detail.code] ?? detail.message),
  }[status]
}
