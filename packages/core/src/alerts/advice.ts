/** What to do about an alert, by its code, written for an operator who was woken up by it. */
const advice: Readonly<Record<string, string>> = {
  'schedule.ending':
    'Ingest more programs for the channel. It keeps playing, and shows fill after the last program.',
  'schedule.no_filler': 'Set a filler playlist for the channel. Until then, gaps show its rescue slate.',
  'channel.start_waiting':
    'Check the slates of the channel: they must be READY before it starts. Choose others if they FAILED.',
  'program.failed': 'Ingest the program again with readable files, or another program for its time slot.',
  'item.late':
    'Check the videos of the program: fetching or encoding is slow, or failed. Their slots are filled if they stay late.',
  'cue_points.not_packaged':
    'Check that the file of the video can still be fetched, and set its cue points again; or submit it with another file.',
  'live_source.signal_lost':
    'Check the encoder and the address of the source. Channels on it show their slate; override them or return them to schedule.',
  'live_source.black':
    'Check the preview of the source. If the picture is wrong, override its channels or return them to schedule.',
  'live_source.frozen':
    'Check the preview of the source. If the picture is frozen, override its channels or return them to schedule.',
  'live_source.silent':
    'Listen to the source. If sound is missing, override its channels or return them to schedule.',
  'media_store.unavailable':
    'The platform operator has to check the media store. Channels keep playing; new videos wait.',
  'scratch.full':
    'The platform operator has to free space in the scratch folder of the worker. New videos wait.',
  'clock.process_wrong':
    'The platform operator has to check the time synchronisation of that host. Channels keep playing.',
  'clock.database_wrong':
    'The platform operator has to check the time synchronisation of PostgreSQL. Channels keep playing.',
  'clock.broker_wrong':
    'The platform operator has to check the time synchronisation of NATS. Channels keep playing.',
  'webhook.paused': 'Repair the endpoint and resume the webhook; pending deliveries are sent then.',
  'alert_recipient.failing': 'Check the address of the recipient, and send a test mail.',
}

const FALLBACK = 'Check the alert and its subject.'

export const adviceFor = (code: string): string => advice[code] ?? FALLBACK
