import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { FormDialog } from '../shared/form-dialog.tsx'
import { keys } from '../shared/query-keys.ts'
import type { Channel, Output } from '../shared/wire-types.ts'
import { audienceWords, breakWords, markerWords } from './output-words.ts'

const usual: Output = {
  distributor: '',
  key: null,
  window_ms: 32_000,
  markers: 'BOTH',
  break_policy: 'ACTUAL',
  audience_source: 'NODES',
  delay_ms: 0,
}

interface OutputFormProps {
  readonly channel: Channel
  /** Left out for a new one. */
  readonly output?: Output
  readonly onClose: () => void
}

function useOutputsChanged({ linear_channel_id }: Channel, onClose: () => void): () => void {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: keys.outputs(linear_channel_id) })
    onClose()
  }
}

export function OutputForm({ channel, output, onClose }: OutputFormProps) {
  const client = useClient()
  const isNew = output === undefined
  const [fields, setFields] = useState<Output>(output ?? usual)
  const set = (change: Partial<Output>) => setFields({ ...fields, ...change })
  const { linear_channel_id } = channel
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const { distributor, delay_ms, ...rest } = fields
      return isNew
        ? client.createOutput({ params: { linear_channel_id }, body: { distributor, delay_ms, ...rest } })
        : client.changeOutput({ params: { linear_channel_id, distributor }, body: rest })
    },
    onSuccess: useOutputsChanged(channel, onClose),
  })
  return (
    <FormDialog
      title={isNew ? `Add an output of ${channel.title}` : `Change ${output.distributor}`}
      submit={isNew ? 'Add the output' : 'Save'}
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      reason={reasonAgainst(fields)}
    >
      {isNew && (
        <TextInput
          label="Distributor"
          description="Part of the address: small letters, digits, hyphens and underscores."
          value={fields.distributor}
          onChange={(event) => set({ distributor: event.currentTarget.value })}
          data-autofocus
        />
      )}
      <TextInput
        label="The distributor's own id of the channel"
        description="Empty if there is none."
        value={fields.key ?? ''}
        onChange={(event) =>
          set({ key: event.currentTarget.value === '' ? null : event.currentTarget.value })
        }
      />
      <NumberInput
        label="Length of the playlist, seconds"
        description="15 to 300."
        min={15}
        max={300}
        value={fields.window_ms / 1_000}
        onChange={(value) => set({ window_ms: Math.round(Number(value) * 1_000) })}
      />
      <NativeSelect
        label="Ad breaks are marked by"
        data={choicesOf(markerWords)}
        value={fields.markers}
        onChange={(event) => set({ markers: event.currentTarget.value as Output['markers'] })}
      />
      <NativeSelect
        label="A break that is ended early"
        data={choicesOf(breakWords)}
        value={fields.break_policy}
        onChange={(event) => set({ break_policy: event.currentTarget.value as Output['break_policy'] })}
      />
      <NativeSelect
        label="Viewers"
        data={choicesOf(audienceWords)}
        value={fields.audience_source}
        onChange={(event) => set({ audience_source: event.currentTarget.value as Output['audience_source'] })}
      />
      {isNew && (
        <NumberInput
          label="Delay, seconds"
          description="How far it is behind the channel, up to 24 hours. It cannot be changed later."
          min={0}
          max={86_400}
          allowDecimal={false}
          value={fields.delay_ms / 1_000}
          onChange={(value) => set({ delay_ms: Number(value) * 1_000 })}
        />
      )}
    </FormDialog>
  )
}

export function DeleteOutput({ channel, output, onClose }: Required<OutputFormProps>) {
  const client = useClient()
  const { linear_channel_id } = channel
  const { distributor } = output
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.deleteOutput({ params: { linear_channel_id, distributor } }),
    onSuccess: useOutputsChanged(channel, onClose),
  })
  return (
    <FormDialog
      title={`Delete ${distributor}`}
      submit="Delete the output"
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      isDangerous
    >
      <p>
        {distributor} no longer gets {channel.title}: its players stop within seconds. Other outputs are not
        affected.
      </p>
    </FormDialog>
  )
}

function reasonAgainst({ distributor, window_ms, delay_ms }: Output): string | undefined {
  if (!/^[a-z0-9][a-z0-9_-]{0,62}$/.test(distributor)) return 'The name of a distributor is needed.'
  if (!(window_ms >= 15_000 && window_ms <= 300_000)) return 'A playlist is 15 to 300 seconds long.'
  return delay_ms >= 0 && delay_ms <= 86_400_000 ? undefined : 'The delay is at most 24 hours.'
}

const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))
