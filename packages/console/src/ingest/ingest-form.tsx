import { Alert, Button, FileButton, Group, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, type FormEvent, useRef, useState } from 'react'
import { useChannels } from '../on-air/channel-queries.ts'
import { DateTimeField } from '../schedule/date-time-field.tsx'
import { useClient } from '../session/session-context.tsx'
import { navigate } from '../shared/router.tsx'
import { serverNowMs } from '../shared/server-time.ts'
import classes from './ingest.module.css'
import { bodyOf, emptyDraft, emptyItem, type IngestDraft } from './ingest-draft.ts'
import { faultsOf, findFaults, type IngestFault } from './ingest-faults.ts'
import { ItemFields } from './item-fields.tsx'
import { type FileResult, readIngestFile } from './read-ingest-file.ts'

/** As the service accepts at most. */
const FILE_BYTES = 5 * 1024 * 1024

/** A program with its files, typed or dropped. */
export function IngestForm() {
  const { data: channels = [] } = useChannels()
  const [draft, setDraft] = useState<IngestDraft>(emptyDraft)
  const [found, setFound] = useState<readonly IngestFault[]>([])
  const [file, setFile] = useState<{ readonly name: string; readonly result: FileResult }>()
  const submit = useSubmit()
  const form = useRef<HTMLFormElement>(null)
  const faults = submit.error === null ? found : faultsOf(submit.error, serverNowMs())
  const faultAt = (pointer: string) => faults.find((fault) => fault.pointer === pointer)?.text

  const change = (next: Partial<IngestDraft>) => {
    const changed = { ...draft, ...next }
    setDraft(changed)
    submit.reset()
    // What was mended is no fault any more; what was not found yet is not pointed at while one types.
    const left = findFaults(changed, channels).map(({ pointer }) => pointer)
    setFound(found.filter(({ pointer }) => left.includes(pointer)))
  }
  const readFile = async (chosen: File | null | undefined) => {
    if (!chosen) return
    const result: FileResult =
      chosen.size > FILE_BYTES
        ? { kind: 'rejected', text: 'It is larger than the 5 MB that a request may have.' }
        : readIngestFile(chosen.name, await chosen.text())
    setFile({ name: chosen.name, result })
    if (result.kind === 'rejected') return
    const next = { ...draft, ...result.change }
    setDraft(next)
    submit.reset()
    setFound(findFaults(next, channels))
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    const missing = findFaults(draft, channels)
    setFound(missing)
    submit.reset()
    if (missing.length === 0) submit.mutate(draft)
    else
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const atNoField = faults.filter(
    ({ pointer }) => !shownPointers.has(pointer) && !/^\/videos\/\d+/.test(pointer),
  )
  return (
    <section aria-labelledby="submit">
      <h2 id="submit">Submit a program</h2>
      <DropZone onFile={(chosen) => void readFile(chosen)} />
      {file !== undefined && <FileNotice name={file.name} result={file.result} />}
      <form ref={form} className={classes['form']} onSubmit={send} noValidate aria-label="Program">
        <div className={classes['pair']}>
          <NativeSelect
            label="Channel"
            value={draft.linear_channel_id}
            error={faultAt('/linear_channel_id')}
            data={[
              { value: '', label: 'Choose a channel…' },
              ...channels.map(({ linear_channel_id, title }) => ({ value: linear_channel_id, label: title })),
            ]}
            onChange={({ currentTarget }) => change({ linear_channel_id: currentTarget.value })}
          />
          <TextInput
            label="Program title"
            value={draft.program_title}
            error={faultAt('/program_title')}
            onChange={({ currentTarget }) => change({ program_title: currentTarget.value })}
          />
        </div>
        <div className={classes['pair']}>
          <DateTimeField
            label="Starts"
            zone="UTC"
            value={draft.start}
            error={faultAt('/schedule/start_time')}
            onChange={(start) => change({ start })}
          />
          <TextInput
            label="Length, minutes"
            inputMode="decimal"
            value={draft.minutes}
            error={faultAt('/schedule/duration_ms')}
            onChange={({ currentTarget }) => change({ minutes: currentTarget.value })}
          />
        </div>
        <div className={classes['pair']}>
          <TextInput
            label="Partner"
            value={draft.source_id}
            error={faultAt('/source_id')}
            onChange={({ currentTarget }) => change({ source_id: currentTarget.value })}
          />
          <TextInput
            label="Brand, if any"
            value={draft.brand_id}
            error={faultAt('/brand_id')}
            onChange={({ currentTarget }) => change({ brand_id: currentTarget.value })}
          />
        </div>
        <Textarea
          label="Description in the guide"
          rows={2}
          value={draft.program_description}
          error={faultAt('/program_description')}
          onChange={({ currentTarget }) => change({ program_description: currentTarget.value })}
        />
        <ItemFields items={draft.items} faults={faults} onChange={(items) => change({ items })} />
        <Group>
          <Button
            variant="default"
            size="sm"
            onClick={() => change({ items: [...draft.items, emptyItem('VIDEO')] })}
          >
            Add a video
          </Button>
          <Button
            variant="default"
            size="sm"
            onClick={() => change({ items: [...draft.items, { ...emptyItem('AD_POD'), duration: '120' }] })}
          >
            Add an ad break
          </Button>
        </Group>
        {atNoField.map(({ pointer, text }) => (
          <Alert key={`${pointer} ${text}`} color="red" role="alert">
            {pointer === '' ? text : `${pointer}: ${text}`}
          </Alert>
        ))}
        {faults.length > 0 && (
          <p className={classes['fault']} role="status">
            {faults.length === 1 ? 'One problem' : `${faults.length} problems`}: see the fields above.
          </p>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => change(emptyDraft)}>
            Empty the form
          </Button>
          <Button type="submit" loading={submit.isPending}>
            Submit the program
          </Button>
        </Group>
      </form>
    </section>
  )
}

/** Pointers that have a field; items have their own. */
const shownPointers: ReadonlySet<string> = new Set([
  '/linear_channel_id',
  '/source_id',
  '/brand_id',
  '/program_title',
  '/program_description',
  '/schedule/start_time',
  '/schedule/duration_ms',
  '/videos',
])

/** The same request has the same key when it is sent again, and another one when a field was mended. */
function useSubmit() {
  const client = useClient()
  const sent = useRef({ text: '', key: '' })
  return useMutation({
    mutationFn: (draft: IngestDraft) => {
      const body = bodyOf(draft)
      const text = JSON.stringify(body)
      if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() }
      return client.scheduleProgram({ body }, { idempotencyKey: sent.current.key })
    },
    onSuccess: ({ request_id }) => navigate(`/ingest/${encodeURIComponent(request_id)}`),
  })
}

function DropZone({ onFile }: { onFile: (file: File | null | undefined) => void }) {
  const [isOver, setIsOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(true)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same with keys.
    <div
      className={classes['drop']}
      data-over={isOver || undefined}
      onDragEnter={over}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        onFile(event.dataTransfer.files[0])
      }}
    >
      <span>Drop a file here: a program as JSON, or its items as JSON or CSV.</span>
      <FileButton
        accept=".json,.csv,application/json,text/csv"
        onChange={onFile}
        inputProps={{ 'aria-label': 'File with a program' }}
      >
        {(props) => (
          <Button {...props} variant="default" size="sm">
            Choose a file…
          </Button>
        )}
      </FileButton>
    </div>
  )
}

function FileNotice({ name, result }: { name: string; result: FileResult }) {
  if (result.kind === 'rejected') {
    return (
      <Alert color="red" role="alert" title={`${name} cannot be used`} className={classes['notice']}>
        {result.text}
      </Alert>
    )
  }
  const count = result.change.items?.length ?? 0
  return (
    <p role="status" className={classes['hint']}>
      {name}: {count === 1 ? '1 item' : `${count} items`} in the form below.
      {result.unused.length > 0 && ` Columns that were not used: ${result.unused.join(', ')}.`}
    </p>
  )
}
