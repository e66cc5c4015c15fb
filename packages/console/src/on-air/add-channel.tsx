import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../shared/form-dialog.tsx'
import { useCreateChannel } from './use-create-channel.ts'

export function AddChannel({ onClose }: { onClose: () => void }) {
  const [title, setTitle] = useState('')
  const [isStarted, setIsStarted] = useState(true)
  const { mutate, error, isPending } = useCreateChannel()
  return (
    <FormDialog
      title="Add a channel"
      submit="Add the channel"
      onSubmit={() => mutate({ title: title.trim(), isStarted })}
      onClose={onClose}
      isSending={isPending}
      error={error}
      reason={title.trim() === '' ? 'Give it a name.' : undefined}
    >
      <TextInput
        label="Name of the channel"
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        maxLength={200}
        data-autofocus
      />
      <Checkbox
        label="Put it on the air at once"
        description="It shows slates until it has programs."
        checked={isStarted}
        onChange={(event) => setIsStarted(event.currentTarget.checked)}
      />
    </FormDialog>
  )
}
