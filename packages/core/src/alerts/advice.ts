/** What to do about an alert, by its code, for somebody who was woken up by it. */
const advice: Readonly<Record<string, string>> = {
  'schedule.ending':
    'Hand over more programs for the channel. Until then it plays on, and shows fill after the last one.',
  'schedule.no_filler': 'Give the channel a filler playlist. Until then gaps show its rescue slate.',
  'channel.start_waiting':
    'Look at the slates of the channel: they must be READY before it goes on the air. Name others if they FAILED.',
  'program.failed':
    'Hand the program over again with files that can be read, or another one for its time slot.',
  'item.late':
    'Look at the videos of the program: fetch or encode is slow, or failed. Their time is filled if they stay late.',
  'live_source.signal_lost':
    'Check the encoder and the address of the source. Channels on it show their slate; override them or return them to schedule.',
  'live_source.black':
    'Look at the preview of the source. If the picture is wrong, override its channels or return them to schedule.',
  'live_source.frozen':
    'Look at the preview of the source. If the picture stands still, override its channels or return them to schedule.',
  'live_source.silent':
    'Listen to the source. If sound is missing, override its channels or return them to schedule.',
  'media_store.unavailable':
    'Whoever runs the platform has to look at the media store. Channels play on; new videos wait.',
  'scratch.full':
    'Whoever runs the platform has to make room in the scratch folder of the worker. New videos wait.',
  'clock.process_wrong':
    'Whoever runs the platform has to check the time synchronisation of that host. Channels play on.',
  'clock.database_wrong':
    'Whoever runs the platform has to check the time synchronisation of PostgreSQL. Channels play on.',
  'clock.broker_wrong':
    'Whoever runs the platform has to check the time synchronisation of NATS. Channels play on.',
  'webhook.paused': 'Repair the endpoint and resume the webhook; what waits is sent then.',
  'alert_recipient.failing': 'Check the address of the recipient, and send a test mail.',
}

const FALLBACK = 'Look at the alert and at what it is about.'

export const adviceFor = (code: string): string => advice[code] ?? FALLBACK
