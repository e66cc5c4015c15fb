import { Button, Radio } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { FormDialog } from '../shared/form-dialog.tsx'
import { keys } from '../shared/query-keys.ts'
import type { Channel } from '../shared/wire-types.ts'

/** The service accepts both in every status; in the others they change nothing. */
const startable: readonly Channel['status'][] = ['OFFLINE', 'PENDING_OFFLINE', 'ERROR']
const stoppable: readonly Channel['status'][] = ['ON_AIR', 'PENDING_ON_AIR', 'PENDING_OFFLINE']

/** Puts a channel on the air, or takes it off. */
export function StartStop({ channel }: { channel: Channel }) {
  const mayCall = useMayCall()
  const [dialog, setDialog] = useState<'start' | 'stop'>()
  const needs = (id: 'startLinearChannel' | 'stopLinearChannel') =>
    mayCall(id) ? undefined : `Needs ${rolesFor(id)}`
  const toStart = needs('startLinearChannel')
  const toStop = needs('stopLinearChannel')
  const close = () => setDialog(undefined)
  return (
    <>
      {startable.includes(channel.status) && (
        <Button
          color="blue.9"
          disabled={toStart !== undefined}
          title={toStart}
          onClick={() => setDialog('start')}
        >
          {startTitle(channel)}
        </Button>
      )}
      {stoppable.includes(channel.status) && (
        <Button
          variant="default"
          disabled={toStop !== undefined}
          title={toStop}
          onClick={() => setDialog('stop')}
        >
          {STOP}
        </Button>
      )}
      {dialog === 'start' && <StartDialog channel={channel} onClose={close} />}
      {dialog === 'stop' && <StopDialog channel={channel} onClose={close} />}
    </>
  )
}

const STOP = 'Take off the air'

const startTitle = ({ status }: Channel): string =>
  status === 'PENDING_OFFLINE' ? 'Keep on the air' : 'Put on the air'

interface DialogProps {
  readonly channel: Channel
  readonly onClose: () => void
}

/** Shows the answer at once; the event of it follows. */
function useChanged(onClose: () => void): (changed: Channel) => void {
  const queries = useQueryClient()
  return (changed) => {
    queries.setQueryData<readonly Channel[]>(keys.channels, (list) =>
      list?.map((one) =>
        one.linear_channel_id === changed.linear_channel_id ? { ...one, ...changed } : one,
      ),
    )
    onClose()
  }
}

function StartDialog({ channel, onClose }: DialogProps) {
  const client = useClient()
  // The status changes when it is sent, and the text of an open dialog must not.
  const [title] = useState(startTitle(channel))
  const [effect] = useState(
    channel.status === 'PENDING_OFFLINE'
      ? `${channel.title} stays on the air and continues with its schedule.`
      : `Viewers get ${channel.title} within seconds, or as soon as its slates are packaged: what is scheduled, and slates where nothing is.`,
  )
  const { linear_channel_id } = channel
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.startLinearChannel({ params: { linear_channel_id } }),
    onSuccess: useChanged(onClose),
  })
  return (
    <FormDialog
      title={title}
      submit={title}
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
    >
      <p>{effect}</p>
    </FormDialog>
  )
}

function StopDialog({ channel, onClose }: DialogProps) {
  const client = useClient()
  const [when, setWhen] = useState<'end' | 'now'>('end')
  const { linear_channel_id, title } = channel
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      client.stopLinearChannel({ params: { linear_channel_id }, body: { immediate: when === 'now' } }),
    onSuccess: useChanged(onClose),
  })
  return (
    <FormDialog
      title={STOP}
      submit={STOP}
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      isDangerous
    >
      <p>Viewers of {title} get no stream from then on, and their players stop. Its schedule is kept.</p>
      <Radio.Group label="When" value={when} onChange={(value) => setWhen(value === 'now' ? 'now' : 'end')}>
        <Radio value="end" label="At the end of its program" mt="xs" />
        <Radio value="now" label="Now" mt="xs" />
      </Radio.Group>
    </FormDialog>
  )
}
