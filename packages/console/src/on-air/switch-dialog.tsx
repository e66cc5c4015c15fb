import { Alert, Button, Group, Modal, Radio } from '@mantine/core'
import { useRef, useState } from 'react'
import { useLiveSources } from '../live-sources/live-source-query.ts'
import { commandProblemText } from '../shared/problem-text.ts'
import { Link } from '../shared/router.tsx'
import type { Channel, LiveSource } from '../shared/wire-types.ts'
import classes from './switch-dialog.module.css'
import { SwitchResults } from './switch-results.tsx'
import { reasonAgainst, type SwitchKind, titles } from './switch-rules.ts'
import { confirmationOf, effectOf } from './switch-words.ts'
import { useSwitch } from './use-switch.ts'

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
