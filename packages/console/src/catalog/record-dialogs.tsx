import { Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../shared/form-dialog.tsx'

export interface RecordFields {
  readonly title: string
  readonly description: string
}

interface RecordFormProps {
  /** Make a playlist, Change Night trains. */
  readonly title: string
  readonly submit: string
  /** Left out for a new one. */
  readonly fields?: RecordFields
  readonly save: (fields: RecordFields) => Promise<unknown>
  readonly onClose: () => void
}

/** The fields of a series or a playlist. */
export function RecordForm({ title, submit, fields, save, onClose }: RecordFormProps) {
  const [draft, setDraft] = useState<RecordFields>(fields ?? { title: '', description: '' })
  const { mutate, error, isPending } = useMutation({ mutationFn: () => save(draft), onSuccess: onClose })
  return (
    <FormDialog
      title={title}
      submit={submit}
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      reason={draft.title.trim() === '' ? 'Give it a title.' : undefined}
    >
      <TextInput
        label="Title"
        maxLength={255}
        value={draft.title}
        onChange={({ currentTarget }) => setDraft({ ...draft, title: currentTarget.value })}
        data-autofocus
      />
      <Textarea
        label="Description"
        rows={3}
        value={draft.description}
        onChange={({ currentTarget }) => setDraft({ ...draft, description: currentTarget.value })}
      />
    </FormDialog>
  )
}

interface DeleteRecordProps {
  readonly title: string
  readonly submit: string
  readonly text: string
  readonly remove: () => Promise<unknown>
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteRecord({ title, submit, text, remove, onClose, onDeleted }: DeleteRecordProps) {
  const { mutate, error, isPending } = useMutation({ mutationFn: remove, onSuccess: onDeleted })
  return (
    <FormDialog
      title={title}
      submit={submit}
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      isDangerous
    >
      <p>{text}</p>
    </FormDialog>
  )
}
