import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { FormDialog } from '../shared/form-dialog.tsx'
import { keys } from '../shared/query-keys.ts'
import { navigate } from '../shared/router.tsx'
import { serverNowMs } from '../shared/server-time.ts'
import type { Webhook } from '../shared/wire-types.ts'
import { EVERYTHING, kindGroups } from './webhook-words.ts'

const HOUR_S = 3_600
const DAY_S = 24 * HOUR_S

interface WebhookFormProps {
  /** Left out for a new one. */
  readonly webhook?: Webhook
  readonly onClose: () => void
  readonly onCreated?: (secret: string) => void
}

/** Makes a webhook, or changes one. */
export function WebhookForm({ webhook, onClose, onCreated }: WebhookFormProps) {
  const client = useClient()
  const queries = useQueryClient()
  const [url, setUrl] = useState(webhook?.url ?? 'https://')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const [kinds, setKinds] = useState<readonly string[]>(webhook?.kinds ?? [EVERYTHING])
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const body = { url: url.trim(), description: description.trim(), kinds: [...kinds] }
      if (webhook === undefined) return (await client.createWebhook({ body })).secret
      await client.changeWebhook({ params: { webhook_id: webhook.webhook_id }, body })
      return undefined
    },
    onSuccess: (secret) => {
      void queries.invalidateQueries({ queryKey: keys.webhooks })
      if (secret === undefined) onClose()
      else onCreated?.(secret)
    },
  })
  // Single kinds, which the API allows, are kept as they are.
  const single = kinds.filter(
    (kind) => kind !== EVERYTHING && !kindGroups.some(({ pattern }) => pattern === kind),
  )
  return (
    <FormDialog
      title={webhook === undefined ? 'Add a webhook' : 'Change the webhook'}
      submit={webhook === undefined ? 'Add the webhook' : 'Save'}
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      reason={
        !URL.canParse(url)
          ? 'An address is needed, with https://.'
          : kinds.length === 0
            ? 'Choose what is sent.'
            : undefined
      }
    >
      <TextInput
        label="Address"
        description="Every event is sent to it with POST."
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label="Description"
        description="What people here call it."
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Checkbox
        label="Send everything"
        checked={kinds.includes(EVERYTHING)}
        onChange={(event) => setKinds(event.currentTarget.checked ? [EVERYTHING] : [])}
      />
      {!kinds.includes(EVERYTHING) && (
        <Checkbox.Group label="Send" value={[...kinds]} onChange={setKinds}>
          {[...kindGroups, ...single.map((kind) => ({ pattern: kind, title: kind }))].map(
            ({ pattern, title }) => (
              <Checkbox key={pattern} value={pattern} label={title} mt="xs" />
            ),
          )}
        </Checkbox.Group>
      )}
    </FormDialog>
  )
}

interface WebhookDialogProps {
  readonly webhook: Webhook
  readonly onClose: () => void
}

const validities = [
  { value: String(DAY_S), label: 'For a day' },
  { value: String(HOUR_S), label: 'For an hour' },
  { value: '0', label: 'Not at all' },
]

export function RotateSecret({
  webhook,
  onClose,
  onRotated,
}: WebhookDialogProps & { onRotated: (secret: string) => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const key = useRef(crypto.randomUUID())
  const [seconds, setSeconds] = useState(String(DAY_S))
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      client.rotateWebhookSecret(
        { params: { webhook_id: webhook.webhook_id }, body: { previous_valid_s: Number(seconds) } },
        { idempotencyKey: key.current },
      ),
    onSuccess: ({ secret }) => {
      void queries.invalidateQueries({ queryKey: keys.webhooks })
      onRotated(secret)
    },
  })
  return (
    <FormDialog
      title="Give it a new secret"
      submit="Make a new secret"
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      isDangerous={seconds === '0'}
    >
      <NativeSelect
        label="The present secret signs as well"
        description="Until the receiver has the new one."
        data={validities}
        value={seconds}
        onChange={(event) => setSeconds(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

const ranges = [
  { value: String(HOUR_S), label: 'The last hour' },
  { value: String(DAY_S), label: 'The last day' },
  { value: String(7 * DAY_S - HOUR_S), label: 'The last 7 days' },
]

export function ReplayEvents({ webhook, onClose }: WebhookDialogProps) {
  const client = useClient()
  const queries = useQueryClient()
  const key = useRef(crypto.randomUUID())
  const [seconds, setSeconds] = useState(String(HOUR_S))
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const from = new Date(serverNowMs() - Number(seconds) * 1_000).toISOString()
      key.current = crypto.randomUUID()
      return client.replayWebhook(
        { params: { webhook_id: webhook.webhook_id }, body: { from } },
        { idempotencyKey: key.current },
      )
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keys.webhooks })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Send events again"
      submit="Send them again"
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
    >
      <p>
        Everything that the webhook follows today is sent again, with the same ids as before, so that a
        receiver can ignore what it has.
      </p>
      <NativeSelect
        label="Events of"
        data={ranges}
        value={seconds}
        onChange={(event) => setSeconds(event.currentTarget.value)}
      />
    </FormDialog>
  )
}

export function DeleteWebhook({ webhook, onClose }: WebhookDialogProps) {
  const client = useClient()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.deleteWebhook({ params: { webhook_id: webhook.webhook_id } }),
    onSuccess: () => {
      navigate('/access/webhooks')
      queries.removeQueries({ queryKey: keys.webhook(webhook.webhook_id) })
      void queries.invalidateQueries({ queryKey: keys.webhooks })
    },
  })
  return (
    <FormDialog
      title="Delete the webhook"
      submit="Delete the webhook"
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      isDangerous
    >
      <p>Nothing more is sent to {webhook.url}, and its log is deleted. To stop it for a while, pause it.</p>
    </FormDialog>
  )
}
