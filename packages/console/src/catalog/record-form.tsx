import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../shared/form-dialog.tsx'
import { faultsAt } from '../shared/problem-text.ts'
import { BrandField } from './brand.tsx'
import { useSaveRecord } from './record-page.tsx'
import { statusWords } from './words.ts'

/** Of a series or a playlist. */
export interface RecordFields {
  readonly title: string
  readonly description: string
  readonly status: 'READY' | 'DISABLED'
  /** Left out for a playlist, which has none. */
  readonly brand_id?: string | null
}

const newRecord: RecordFields = { title: '', description: '', status: 'READY' }
export const newSeries: RecordFields = { ...newRecord, brand_id: null }

interface RecordFormProps {
  /** Make a playlist, Change Night trains. */
  readonly title: string
  readonly submit: string
  /** The fields that it starts with; those of a new playlist by default. */
  readonly record?: Omit<RecordFields, 'status'> & { readonly status: string }
  readonly save: (fields: RecordFields) => Promise<unknown>
  readonly onClose: () => void
}

/** The fields of a series or a playlist. */
export function RecordForm({ title, submit, record = newRecord, save, onClose }: RecordFormProps) {
  const [draft, setDraft] = useState<RecordFields>(() => ({
    title: record.title,
    description: record.description,
    status: record.status === 'DISABLED' ? 'DISABLED' : 'READY',
    ...(record.brand_id !== undefined && { brand_id: record.brand_id }),
  }))
  const { mutate, reset, error, isPending } = useSaveRecord(() => save(draft), onClose)
  const faults = faultsAt(error, Object.keys(draft))
  const set = (change: Partial<RecordFields>) => {
    setDraft({ ...draft, ...change })
    reset()
  }
  return (
    <FormDialog
      title={title}
      submit={submit}
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={faults === undefined ? error : null}
      reason={draft.title.trim() === '' ? 'Give it a title.' : undefined}
    >
      <TextInput
        label="Title"
        maxLength={255}
        value={draft.title}
        error={faults?.['title']}
        onChange={({ currentTarget }) => set({ title: currentTarget.value })}
        data-autofocus
      />
      <Textarea
        label="Description"
        rows={3}
        value={draft.description}
        error={faults?.['description']}
        onChange={({ currentTarget }) => set({ description: currentTarget.value })}
      />
      {draft.brand_id !== undefined && (
        <BrandField
          brandId={draft.brand_id ?? ''}
          fault={faults?.['brand_id']}
          onChange={(brandId) => set({ brand_id: brandId === '' ? null : brandId })}
        />
      )}
      <NativeSelect
        label="Status"
        description="Apps do not show one that is disabled. Programs and rules use it as before."
        value={draft.status}
        data={(['READY', 'DISABLED'] as const).map((value) => ({ value, label: statusWords[value] }))}
        onChange={({ currentTarget }) => set({ status: currentTarget.value as RecordFields['status'] })}
      />
    </FormDialog>
  )
}
