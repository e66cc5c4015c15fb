import { Alert, Button, Group, Modal, Radio } from '@mantine/core'
import { useRef, useState } from 'react'
import { useLiveSources } from '../live-sources/live-source-query.ts'
import { commandProblemText } from '../shared/problem-text.ts'
import { Link } from '../shared/router.tsx'
import { useServerNow } from '../shared/server-time.ts'
import { timeLeft, utcTime } from '../shared/times.ts'
import type { Channel, LiveSource } from '../shared/wire-types.ts'
import classes from './switch-dialog.module.css'
import { reasonAgainst, type SwitchKind, titles } from './switch-rules.ts'
import { type SwitchResult, useSwitch } from './use-switch.ts'

interface SwitchDialogProps {
  readonly kind: SwitchKind
  readonly channels: readonly Channel[]
  readonly onClose: () => void
}

/** States what viewers will see, and sends the command only then; the results stay until they are closed. */
export function SwitchDialog({ kind, channels, onClose }: SwitchDialogProps) {
  const { mutate, data, error, isPending } = useSwitch()
  const [sourceId, setSourceId] = useState<string>()
  const key = useRef(crypto.randomUUID())
  const sources = useLiveSources().data ?? []
  const source = sources.find(({ live_source_id }) => live_source_id === sourceId)
  const possible = channels.filter((channel) => reasonAgainst(kind, channel) === undefined)
  const isReady = possible.length > 0 && (kind !== 'live' || source !== undefined)

  const send = () =>
    mutate({
      kind,
      channelIds: possible.map(({ linear_channel_id }) => linear_channel_id),
      liveSourceId: kind === 'live' ? (sourceId ?? null) : null,
      idempotencyKey: key.current,
    })

  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong>{titles[kind]}</strong>}
      size="lg"
      // The lock would add a style element, which the content security policy does not allow.
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {data === undefined ? (
        <>
          {kind === 'live' && (
            <SourceChoice sources={sources} value={sourceId ?? ''} onChange={setSourceId} />
          )}
          <p className={classes['effect']}>{effectOf(kind, possible, source?.name)}</p>
          <ChannelNames kind={kind} channels={channels} />
          {error !== null && (
            <Alert color="red" role="alert" className={classes['fault']}>
              {commandProblemText(error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              color={kind === 'return' ? 'blue.9' : 'red.9'}
              onClick={send}
              loading={isPending}
              disabled={!isReady}
              data-autofocus={kind === 'live' ? undefined : true}
            >
              {error === null ? confirmationOf(kind, source?.name) : 'Try again'}
            </Button>
          </Group>
        </>
      ) : (
        <>
          <SwitchResults kind={kind} results={data} channels={channels} sourceName={source?.name} />
          <Group justify="flex-end">
            <Button onClick={onClose} autoFocus>
              Done
            </Button>
          </Group>
        </>
      )}
    </Modal>
  )
}

interface SourceChoiceProps {
  readonly sources: readonly LiveSource[]
  readonly value: string
  readonly onChange: (sourceId: string) => void
}

function SourceChoice({ sources, value, onChange }: SourceChoiceProps) {
  if (sources.length === 0) {
    return (
      <p>
        There is no live source yet. An administrator adds them under{' '}
        <Link to="/live-sources">Live sources</Link>.
      </p>
    )
  }
  return (
    <Radio.Group label="Live source" value={value} onChange={onChange} className={classes['sources']}>
      {sources.map(({ live_source_id, name, status }) => (
        <Radio
          key={live_source_id}
          value={live_source_id}
          label={status === 'ACTIVE' ? name : `${name} (${status}: activate it first)`}
          disabled={status !== 'ACTIVE'}
        />
      ))}
    </Radio.Group>
  )
}

/** One channel is named by the sentence above; of several, each is listed, with the reason if it is left out. */
function ChannelNames({ kind, channels }: Pick<SwitchDialogProps, 'kind' | 'channels'>) {
  if (channels.length === 1 && reasonAgainst(kind, channels[0]!) === undefined) return null
  return (
    <ul className={classes['channels']}>
      {channels.map((channel) => {
        const reason = reasonAgainst(kind, channel)
        return (
          <li key={channel.linear_channel_id}>
            {reason === undefined ? (
              channel.title
            ) : (
              <span className={classes['left-out']}>Left out: {reason}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface SwitchResultsProps {
  readonly kind: SwitchKind
  readonly results: readonly SwitchResult[]
  readonly channels: readonly Channel[]
  readonly sourceName: string | undefined
}

/** What became of each channel, with a countdown until its first segment is published. */
function SwitchResults({ kind, results, channels, sourceName }: SwitchResultsProps) {
  const nowMs = useServerNow()
  const shown = { live: sourceName ?? 'the live source', slate: 'the rescue slate', return: 'the schedule' }[
    kind
  ]
  const failed = results.filter(({ code }) => code !== undefined).length
  return (
    <>
      <p role="status">
        {failed === 0
          ? `${channelsOf(results.length)} switched to ${shown}.`
          : `${results.length - failed} of ${channelsOf(results.length)} switched to ${shown}, ${failed} not.`}
      </p>
      <table className={classes['results']}>
        <thead>
          <tr>
            <th scope="col">Channel</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ channelId, onAirMs, code, message }) => (
            <tr key={channelId} data-failed={code !== undefined || undefined}>
              <th scope="row">
                {channels.find((one) => one.linear_channel_id === channelId)?.title ?? channelId}
              </th>
              <td>{code === undefined ? switchText(onAirMs, nowMs) : (failureWords[code] ?? message)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

const channelsOf = (count: number): string => (count === 1 ? '1 channel' : `${count} channels`)

function switchText(onAirMs: number | undefined, nowMs: number): string {
  if (onAirMs === undefined) return 'Nothing to change'
  return onAirMs > nowMs
    ? `Switches in ${timeLeft(onAirMs - nowMs)}, at ${utcTime(onAirMs)} UTC`
    : `On air since ${utcTime(onAirMs)} UTC`
}

const subjectOf = (channels: readonly Channel[]): string =>
  channels.length === 1 ? `Viewers of ${channels[0]!.title}` : `Viewers of these ${channels.length} channels`

/** What viewers will see and when, before an operator confirms it. */
function effectOf(kind: SwitchKind, channels: readonly Channel[], sourceName: string | undefined): string {
  const who = subjectOf(channels)
  // A segment has 6.4 s at most; a cut is within one segment and two seconds.
  const when = 'at the next segment boundary, within 9 seconds'
  return {
    live: `${who} see ${sourceName ?? 'the live source'} ${when}, until someone returns to the schedule.`,
    slate: `${who} see the rescue slate ${when}, until someone returns to the schedule.`,
    return: `${who} see what is scheduled for that moment ${when}. What they missed is not made up for.`,
  }[kind]
}

function confirmationOf(kind: SwitchKind, sourceName: string | undefined): string {
  return {
    live: sourceName === undefined ? 'Choose a live source' : `Cut to ${sourceName}`,
    slate: 'Show the rescue slate',
    return: 'Return to schedule',
  }[kind]
}

/** Texts of `bulkItemCodes`. */
const failureWords: Readonly<Record<string, string>> = {
  'channel.not_found': 'The channel no longer exists.',
  'channel.not_on_air': 'Not changed: the channel is not ON_AIR.',
  'channel.not_overridden': 'Not changed: the channel follows its schedule.',
  'channel.slate_not_ready': 'Not changed: its rescue slate is still being packaged.',
  'feed.unavailable': 'Stored, but not published yet: playout nodes switch when the message broker is back.',
}
