/** What a caller does about an error, by its code. Codes that end alike have a remedy in common, below. */
const remedies: Readonly<Record<string, string>> = {
  'account.format_frozen':
    'Frame rate and segment length are fixed by the first package. Use another account for another format.',
  'ad_break.not_open': 'Nothing to end: the break has ended by itself, or was ended by another user.',
  'ad_break.open': 'End the open break, or wait until it ends.',
  'alert_recipient.mail_off': 'The platform operator sets `SMTP_HOST`. Until then, use a webhook.',
  'alert_recipient.paused': 'Resume the recipient with `PATCH {"status": "ACTIVE"}`, then test it.',
  'alert_recipient.quiet_hours_invalid':
    'Give an end that differs from the start, and name each severity once.',
  'alert_recipient.time_zone_unknown': 'Use a name of the IANA database, such as `Europe/Berlin`.',
  'alert_recipient.too_many_tests': 'Wait for the time in `Retry-After`.',
  'audience.import_busy': 'Wait until the other import has ended; one runs at a time.',
  'audience.key_missing': 'The platform operator sets the same `VIEWING_KEY` for the API and all nodes.',
  'audience.too_many_channels': 'Divide the file by channel, and import the parts one after another.',
  'body.too_large': 'Divide the request. Files are not sent in bodies: give their addresses.',
  'body.unsupported_type': 'Send JSON with `Content-Type: application/json`.',
  'channel.not_on_air': 'Start the channel, and wait until its status is `ON_AIR`.',
  'channel.not_overridden': 'Nothing to return from: the channel shows its schedule.',
  'channel.offline': 'Start the channel. Players may try again: the address stays the same.',
  'channel.slate_not_ready': 'Wait until the slate is packaged, or choose a video that is `READY`.',
  'clock.wrong':
    'The platform operator checks the time synchronisation of the host. Another process may answer.',
  'credential.expired': 'Refresh the session, and repeat the request with the new credential.',
  'credential.invalid': 'Log in again. The credential was altered, or belongs to another platform or device.',
  'credential.missing': 'Send `X-Service-Auth` and `X-Service-Device`.',
  'cue_points.invalid': 'Give times in milliseconds, 10 s or more apart, and before the end of the video.',
  'cue_points.unsupported': 'Set cue points on videos that were ingested with a file.',
  'database.unavailable': 'Try again after `Retry-After`; nothing was done. Channels keep playing.',
  'event.cursor_invalid': 'Send the id of an event as it was received, or none to begin with the next event.',
  'event.kind_unknown': 'Use the kinds in the schema of the operation.',
  'event.too_many_streams': 'Close streams that are not read, or filter one stream in the client.',
  'feed.unavailable':
    'Read the channel before trying again: the change may have been stored. Channels keep playing their schedule.',
  'gateway.timeout':
    'Read the record before repeating a change, or repeat it with the same `Idempotency-Key`.',
  'gateway.unreachable': 'Try again shortly; for a change, with the same `Idempotency-Key`.',
  'header.too_large': 'Send fewer or shorter headers.',
  'idempotency.key_reused': 'Use a new `Idempotency-Key` for each new request.',
  'internal.error':
    'Report it with its `request_id`. A repeated read is safe; a change needs its `Idempotency-Key`.',
  'live_source.in_use': 'Return its channels to their schedule, or override them with something else.',
  'live_source.not_active': 'Activate the source, and wait until its status is `ACTIVE`.',
  'live_source.signal_unavailable':
    'Try again shortly: NATS does not answer, or no receiver has measured yet.',
  'live_source.type_mismatch': 'Leave `metadata.type` out, or give it the type of the source.',
  'live_source.type_not_built': 'Use `HLS_PULL`.',
  'media.unavailable': 'Try again shortly. The platform operator checks the media store.',
  'method.not_allowed': 'Use a method in the `Allow` header.',
  'operation.not_built': 'The operation is declared, and not implemented in this version.',
  'output.delay_fixed': 'Create another output with the other delay, and delete this one when it is unused.',
  'page.mark_invalid': 'Send a mark of the same list with the same filters, or begin with the first page.',
  'password.refused': 'Choose 8 to 1,024 characters, other than the e-mail and the account name.',
  'plan.busy': 'Wait until the other preview has ended; one is computed at a time for an account.',
  'plan.invalid': 'Correct the rules that `errors` names; a preview shows the effect.',
  'plan.not_found': 'Put rules with `PUT …/plan` first, or send them with the preview.',
  'plan.range_invalid': 'Give a start before its end, and a range within the limits of the operation.',
  'playout.not_found': 'Request addresses from the playlists: they name outputs and renditions.',
  'playout.not_ready': 'Try again shortly, or another node: this one has just started.',
  'program.item_range_invalid': 'Give an `in_ms` before the `out_ms`, both within the video.',
  'program.no_items': 'Add videos to the playlists of the program, or name videos.',
  'program.of_request': 'Submit the request again, or cancel the program and schedule another.',
  'program.range_invalid': 'Give a start before its end, and a range within the limits of the operation.',
  'program.started': 'Override the channel: what is on air, or will be within a minute, is not edited.',
  'program.too_many_items': 'Divide the program.',
  'range.outside': 'Request bytes within the size of the object.',
  'record.changed': 'Read the record, apply the change to its new state, and send the new `ETag`.',
  'record.in_use': 'Remove it from where it is used first; `detail` names the kind.',
  'report.range_invalid': 'Give a first day that is not after the last, and not too many days.',
  'report.too_many': 'Wait until a report of the account has been read, or cancel one.',
  'request.invalid': 'Correct the fields that `errors` names.',
  'request.malformed': 'Check the syntax of the address, the headers and the JSON.',
  'request.timeout': 'Send the body without pauses.',
  'response.not_acceptable': 'Accept one of the media types that `detail` names.',
  'role.missing': 'Use a user or key with a role that `detail` names; an administrator grants it.',
  'route.not_found': 'Check the path, and the version in it.',
  'schedule.overlap': 'Choose another window, or cancel what is scheduled in it.',
  'schedule.too_late': 'Submit programs 60 s or more before they start.',
  'schedule.too_long': 'Use a longer window, or leave items out.',
  'search.filter_invalid': 'Use the fields and operators in the schema of the operation.',
  'search.filter_too_large': 'Use fewer conditions, or `in` with a list.',
  'server.deadline':
    'Read the record before repeating a change, or repeat it with the same `Idempotency-Key`.',
  'server.overloaded': 'Try again after `Retry-After`; nothing was done.',
  'session.ended':
    'Log in again. A refresh credential works once, and its session ends when it is used twice.',
  'session.refused': 'Check account, e-mail and password or key; the answer does not reveal which was wrong.',
  'session.too_many_tries': 'Wait for the time in `Retry-After`.',
  'shift.invalid': 'Give milliseconds in steps of 10,000, up to 24 hours with the delay of the output.',
  'shift.out_of_reach': 'Use a smaller shift: the channel was not on air then.',
  'start.invalid': 'Give a time by RFC 3339 within the last 24 hours, less the delay of the output.',
  'user.last_admin': 'Give another user the role first.',
  'version.unknown': 'Use 2.1 or 2.3 in the path.',
  'video.not_playable': 'Wait until the video is `READY`, or enable it if it is `DISABLED`.',
  'webhook.address_refused': 'Use an https address on the public Internet.',
  'webhook.keys_missing': 'The platform operator sets `SECRET_KEYS_FILE`.',
  'webhook.paused': 'Repair the endpoint, and resume the webhook with `PATCH {"status": "ACTIVE"}`.',
  'webhook.replay_range': 'Give a time in the past.',
}

const byEnding: Readonly<Record<string, string>> = {
  '.not_found': 'Check the id. A record of another account is not found either.',
  '.unknown': 'Check the id in the body. A record of another account is unknown.',
  '.exists': 'Change the existing record, or use another name.',
  '.too_many': 'Delete some that are not used; `detail` has the limit.',
}

/** What a caller does about an error; undefined if nothing is written for its code. */
export function remedyOf(code: string): string | undefined {
  return remedies[code] ?? byEnding[code.slice(code.indexOf('.'))]
}

/** Codes with a remedy of their own. */
export const remediedCodes: readonly string[] = Object.keys(remedies)
