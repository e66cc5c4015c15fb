import { TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { FormDialog } from '../shared/form-dialog.tsx'
import { keys } from '../shared/query-keys.ts'
import type { LiveSource } from '../shared/wire-types.ts'

interface Fields {
  readonly name: string
  readonly address: string
  /** Of the redundant input; empty for none. */
  readonly second: string
}

interface SourceFormProps {
  /** Left out for a new one. */
  readonly source?: LiveSource
  readonly onClose: () => void
}

function useSourcesChanged(onClose: () => void): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: keys.liveSources })
    onClose()
  }
}

export function SourceForm({ source, onClose }: SourceFormProps) {
  const client = useClient()
  const before = source === undefined ? { name: '', address: '', second: '' } : fieldsOf(source)
  const [draft, setDraft] = useState<Fields>(before)
  const set = (change: Partial<Fields>) => setDraft({ ...draft, ...change })
  const key = useRef(crypto.randomUUID())
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const { name, metadata, feature } = bodyOf(draft)
      if (source === undefined) {
        const body = { name, type: 'HLS_PULL' as const, metadata, feature }
        return client.createLiveSource({ body }, { idempotencyKey: key.current })
      }
      // What is not changed is not sent: an address that is sent again would overwrite that of another user.
      return client.changeLiveSource({
        params: { live_source_id: source.live_source_id },
        body: {
          ...(draft.name === before.name ? {} : { name }),
          ...(draft.address === before.address ? {} : { metadata }),
          ...(draft.second === before.second ? {} : { feature }),
        },
      })
    },
    onSuccess: useSourcesChanged(onClose),
    // Another attempt is another request, as its fields may have changed.
    onError: () => {
      key.current = crypto.randomUUID()
    },
  })
  return (
    <FormDialog
      title={source === undefined ? 'Add a live source' : `Change ${source.name}`}
      submit={source === undefined ? 'Add the live source' : 'Save'}
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      reason={reasonAgainst(draft, before)}
    >
      <TextInput
        label="Name"
        value={draft.name}
        maxLength={255}
        onChange={(event) => set({ name: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label="Address of the stream"
        description={
          source === undefined || source.status === 'IDLE'
            ? 'An HLS playlist, which is pulled while the source is active.'
            : 'Another address interrupts what is received: channels that show it show a slate meanwhile.'
        }
        inputMode="url"
        value={draft.address}
        maxLength={2_048}
        onChange={(event) => set({ address: event.currentTarget.value })}
      />
      <TextInput
        label="Second address, if any"
        description="The same signal by another way: it is received too, and shown while the first one fails."
        inputMode="url"
        value={draft.second}
        maxLength={2_048}
        onChange={(event) => set({ second: event.currentTarget.value })}
      />
    </FormDialog>
  )
}

const fieldsOf = ({ name, metadata, feature }: LiveSource): Fields => ({
  name,
  address: metadata.input_url,
  second: feature.enable_redundancy ? feature.redundancy_source : '',
})

const bodyOf = ({ name, address, second }: Fields) => ({
  name: name.trim(),
  metadata: { input_url: address.trim() },
  feature: { enable_redundancy: second.trim() !== '', redundancy_source: second.trim() },
})

function reasonAgainst(draft: Fields, before: Fields): string | undefined {
  const { name, address, second } = draft
  if (name.trim() === '' || address.trim() === '') return 'A name and an address are needed.'
  const isAddress = (text: string) => /^https?:\/\/\S+$/.test(text.trim())
  if (!isAddress(address) || (second.trim() !== '' && !isAddress(second))) {
    return 'An address begins with https:// or http://.'
  }
  const isSame = name === before.name && address === before.address && second === before.second
  return isSame ? 'Nothing is changed yet.' : undefined
}

export function DeleteSource({ source, onClose }: Required<SourceFormProps>) {
  const client = useClient()
  const { live_source_id, name } = source
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.deleteLiveSource({ params: { live_source_id } }),
    onSuccess: useSourcesChanged(onClose),
  })
  return (
    <FormDialog
      title={`Delete ${name}`}
      submit="Delete the live source"
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      isDangerous
    >
      <p>No channel can be cut to {name} any more. What it has shown stays in the reports.</p>
    </FormDialog>
  )
}
