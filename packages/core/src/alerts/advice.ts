interface AlertKind {
  readonly meaning: string
  /** What to do, written for an operator who was woken up by it. */
  readonly advice: string
}

/** Every alert of the platform, by its code. */
export const alertKinds = {
  'schedule.ending': {
    meaning: 'The schedule of a channel on air ends soon.',
    advice: 'Ingest more programs for the channel. It keeps playing, and shows fill after the last program.',
  },
  'schedule.no_filler': {
    meaning: 'Gaps in the schedule of a channel have nothing to fill them.',
    advice: 'Set a filler playlist for the channel. Until then, gaps show its rescue slate.',
  },
  'plan.nothing_to_play': {
    meaning: 'The rules of a channel find no video for some of its time.',
    advice:
      'Preview the plan of the channel: widen the filter of the rule that it names, shorten its separation, or add videos.',
  },
  'channel.start_waiting': {
    meaning: 'A channel was started and waits for its slates.',
    advice:
      'Check the slates of the channel: they must be READY before it starts. Choose others if they FAILED.',
  },
  'program.failed': {
    meaning: 'A program cannot be shown: none of its videos could be packaged.',
    advice: 'Ingest the program again with readable files, or another program for its time slot.',
  },
  'item.late': {
    meaning: 'A video of a program is not ready shortly before it is to be shown.',
    advice:
      'Check the videos of the program: fetching or encoding is slow, or failed. Their slots are filled if they stay late.',
  },
  'cue_points.not_packaged': {
    meaning: 'A video could not be packaged again for its cue points.',
    advice:
      'Check that the file of the video can still be fetched, and set its cue points again; or submit it with another file.',
  },
  'live_source.signal_lost': {
    meaning: 'An active live source delivers nothing.',
    advice:
      'Check the encoder and the address of the source. Channels on it show their slate; override them or return them to schedule.',
  },
  'live_source.black': {
    meaning: 'The picture of a live source has been black for a while.',
    advice:
      'Check the preview of the source. If the picture is wrong, override its channels or return them to schedule.',
  },
  'live_source.frozen': {
    meaning: 'The picture of a live source has not changed for a while.',
    advice:
      'Check the preview of the source. If the picture is frozen, override its channels or return them to schedule.',
  },
  'live_source.silent': {
    meaning: 'A live source has had no sound for a while.',
    advice: 'Listen to the source. If sound is missing, override its channels or return them to schedule.',
  },
  'media_store.unavailable': {
    meaning: 'Packages cannot be written to the media store.',
    advice: 'The platform operator has to check the media store. Channels keep playing; new videos wait.',
  },
  'scratch.full': {
    meaning: 'The scratch folder of a worker is full.',
    advice: 'The platform operator has to free space in the scratch folder of the worker. New videos wait.',
  },
  'clock.process_wrong': {
    meaning: 'The clock of an API server or a worker is wrong.',
    advice:
      'The platform operator has to check the time synchronisation of that host. Channels keep playing.',
  },
  'clock.database_wrong': {
    meaning: 'The clock of PostgreSQL differs from all others.',
    advice:
      'The platform operator has to check the time synchronisation of PostgreSQL. Channels keep playing.',
  },
  'clock.broker_wrong': {
    meaning: 'The clock of NATS differs from all others.',
    advice: 'The platform operator has to check the time synchronisation of NATS. Channels keep playing.',
  },
  'webhook.paused': {
    meaning: 'A webhook was paused because its endpoint failed for a day, or no longer exists.',
    advice: 'Repair the endpoint and resume the webhook; pending deliveries are sent then.',
  },
  'alert_recipient.failing': {
    meaning: 'Mails to a recipient of alerts are rejected.',
    advice: 'Check the address of the recipient, and send a test mail.',
  },
} as const satisfies Readonly<Record<string, AlertKind>>

export type AlertCode = keyof typeof alertKinds

/** An alert may be older than this version, and have a code that it does not know. */
const FALLBACK = 'Check the alert and its subject.'

export const adviceFor = (code: string): string =>
  (alertKinds as Readonly<Record<string, AlertKind>>)[code]?.advice ?? FALLBACK
