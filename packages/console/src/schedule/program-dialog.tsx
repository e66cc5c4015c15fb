import { etagOf } from '@continuity/client'
import type { BodyOf, Operations } from '@continuity/contract'
import { Alert, Button, Group, Loader, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { Dialog, useShownFault } from '../shared/form-dialog.tsx'
import { problemText } from '../shared/problem-text.ts'
import { keys } from '../shared/query-keys.ts'
import { printVideoTime, readVideoTime } from '../shared/video-times.ts'
import type { Channel, Program } from '../shared/wire-types.ts'
import { DateTimeField } from './date-time-field.tsx'
import classes from './program-dialog.module.css'
import { faultsOf, type ProgramFault } from './program-faults.ts'
import { type DraftItem, ProgramItems } from './program-items.tsx'
import { useProgramDetail } from './program-queries.ts'
import type { ZoneClock } from './zone-clock.ts'

type ProgramBody = BodyOf<Operations['createProgram']>

interface CommonProps {
  readonly clock: ZoneClock
  readonly onClose: () => void
}

interface NewProgramProps extends CommonProps {
  readonly channels: readonly Channel[]
  readonly channel: Channel | undefined
  readonly startMs: number
  readonly endMs: number | undefined
}

export function NewProgramDialog({ channels, channel, startMs, endMs, clock, onClose }: NewProgramProps) {
  return (
    <Dialog title="New program" onClose={onClose}>
      <ProgramForm
        channels={channels}
        channelId={channel?.linear_channel_id ?? channels[0]?.linear_channel_id ?? ''}
        program={undefined}
        startMs={startMs}
        endMs={endMs}
        clock={clock}
        onClose={onClose}
      />
    </Dialog>
  )
}

interface ChangeProgramProps extends CommonProps {
  readonly channel: Channel
  readonly program: Program
  /** Where it is to be moved; its present start where only other things change. */
  readonly startMs: number
}

/** Moves a program or gives it other items. It is read first, with its ETag. */
export function ChangeProgramDialog({ channel, program, startMs, clock, onClose }: ChangeProgramProps) {
  const { data: detail, error } = useProgramDetail(channel.linear_channel_id, program)
  const isMove = startMs !== Date.parse(program.start_time)
  const opened = useRef<Program>(undefined)
  // The version that the user has seen: a later one must not be overwritten unseen.
  if (detail && opened.current === undefined) opened.current = detail
  const shown = opened.current
  return (
    <Dialog title={`${isMove ? 'Move' : 'Change'} ${program.title}`} onClose={onClose}>
      {shown === undefined ? (
        error === null ? (
          <p role="status">
            <Loader size="sm" aria-hidden="true" /> Loading…
          </p>
        ) : (
          <Alert color="red" role="alert">
            {problemText(error)}
          </Alert>
        )
      ) : (
        <>
          {isMove && (
            <p>
              From {clock.moment(Date.parse(program.start_time))} to <strong>{clock.moment(startMs)}</strong>,
              on {channel.title}.
            </p>
          )}
          {program.origin.type === 'RULE' && (
            <p className={classes['hint']}>
              A rule planned it. Once you save, it is a one-off program, which no rule moves any more.
            </p>
          )}
          <ProgramForm
            channels={[channel]}
            channelId={channel.linear_channel_id}
            program={shown}
            startMs={startMs}
            endMs={
              shown.end_time === null
                ? undefined
                : startMs + Date.parse(shown.end_time) - Date.parse(shown.start_time)
            }
            clock={clock}
            onClose={onClose}
          />
        </>
      )}
    </Dialog>
  )
}

interface ProgramFormProps extends CommonProps {
  readonly channels: readonly Channel[]
  readonly channelId: string
  /** As it was read; undefined for a new one. */
  readonly program: Program | undefined
  readonly startMs: number
  readonly endMs: number | undefined
}

function ProgramForm({ channels, program, clock, onClose, ...initial }: ProgramFormProps) {
  const [channelId, setChannelId] = useState(initial.channelId)
  const [title, setTitle] = useState(program?.title ?? '')
  const [description, setDescription] = useState(program?.description ?? '')
  const [start, setStart] = useState(() => clock.toInput(initial.startMs))
  const [end, setEnd] = useState(() => (initial.endMs === undefined ? '' : clock.toInput(initial.endMs)))
  const [items, setItems] = useState<readonly DraftItem[]>(() => draftItems(program))
  const [missing, setMissing] = useState<readonly ProgramFault[]>([])
  const save = useSave(program, onClose)
  const form = useShownFault(save.isPending)
  const faults = missing.length > 0 ? missing : save.error === null ? [] : faultsOf(save.error, clock)
  const faultAt = (field: ProgramFault['field']) => faults.find((fault) => fault.field === field)?.text

  const changeStart = (value: string) => {
    // The program keeps its length.
    const [wasMs, isMs, endMs] = [start, value, end].map((text) => clock.fromInput(text))
    if (wasMs !== undefined && isMs !== undefined && endMs !== undefined) {
      setEnd(clock.toInput(endMs + isMs - wasMs))
    }
    setStart(value)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const startMs = clock.fromInput(start)
    const endMs = end === '' ? undefined : clock.fromInput(end)
    const found: ProgramFault[] = []
    if (title.trim() === '') found.push({ field: 'title', item: undefined, text: 'A program needs a title.' })
    if (startMs === undefined)
      found.push({ field: 'start', item: undefined, text: 'Give a day, and a time such as 20:00.' })
    if (end !== '' && endMs === undefined)
      found.push({ field: 'end', item: undefined, text: 'Give a day, and a time such as 20:00, or neither.' })
    if (items.length === 0) found.push({ field: 'items', item: undefined, text: 'Add at least one video.' })
    found.push(...unreadablePoints(items))
    setMissing(found)
    if (found.length > 0 || startMs === undefined) return
    const body: ProgramBody = {
      title: title.trim(),
      description,
      start_time: new Date(startMs).toISOString(),
      ...(endMs === undefined ? {} : { end_time: new Date(endMs).toISOString() }),
      items: items.map(wireItem),
    }
    save.mutate({ channelId, body })
  }

  return (
    <form ref={form} onSubmit={submit} className={classes['form']} noValidate>
      {channels.length > 1 && (
        <NativeSelect
          label="Channel"
          value={channelId}
          onChange={(event) => setChannelId(event.currentTarget.value)}
          data={channels.map((one) => ({ value: one.linear_channel_id, label: one.title }))}
        />
      )}
      <TextInput
        label="Title"
        value={title}
        error={faultAt('title')}
        onChange={(event) => setTitle(event.currentTarget.value)}
        data-autofocus={program === undefined || undefined}
      />
      <div className={classes['times']}>
        <DateTimeField
          label="Starts"
          zone={clock.name}
          value={start}
          error={faultAt('start')}
          onChange={changeStart}
        />
        <DateTimeField
          label="Ends"
          zone={clock.name}
          hint="Empty: with its last item. Time that is left is filled."
          value={end}
          error={faultAt('end')}
          onChange={setEnd}
        />
      </div>
      <ProgramItems
        items={items}
        faults={faults.filter(({ field }) => field === 'items')}
        onChange={setItems}
      />
      <Textarea
        label="Description in the guide"
        autosize={false}
        rows={2}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      {faults
        .filter(({ field }) => field === 'form')
        .map(({ text }) => (
          <Alert key={text} color="red" role="alert">
            {text}
          </Alert>
        ))}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={save.isPending}
          data-autofocus={program === undefined ? undefined : true}
        >
          {program === undefined ? 'Schedule the program' : 'Save'}
        </Button>
      </Group>
    </form>
  )
}

/** The same request has the same key when it is sent again, and another one when a field was mended. */
function useSave(program: Program | undefined, onDone: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  const sent = useRef({ text: '', key: '' })
  return useMutation({
    mutationFn: ({ channelId, body }: { channelId: string; body: ProgramBody }) => {
      const text = JSON.stringify([channelId, body])
      if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() }
      const idempotencyKey = sent.current.key
      const params = { linear_channel_id: channelId }
      if (program === undefined) return client.createProgram({ params, body }, { idempotencyKey })
      return client.replaceProgram(
        { params: { ...params, program_id: program.program_id }, body },
        { idempotencyKey, ifMatch: etagOf(program) },
      )
    },
    onSuccess: (_, { channelId }) => {
      // The event of it follows; the grid does not wait for it.
      void queries.invalidateQueries({ queryKey: keys.programs(channelId) })
      onDone()
    },
  })
}

const draftItems = (program: Program | undefined): readonly DraftItem[] =>
  (program?.items ?? []).map((item): DraftItem => {
    const key = crypto.randomUUID()
    if ('video_id' in item) {
      return {
        kind: 'video',
        key,
        videoId: item.video_id,
        in: printPoint(item.in_ms),
        out: printPoint(item.out_ms),
      }
    }
    if ('playlist_id' in item) return { kind: 'playlist', key, playlistId: item.playlist_id, title: '' }
    return { kind: 'pod', key, seconds: item.duration }
  })

function wireItem(item: DraftItem): ProgramBody['items'][number] {
  if (item.kind === 'playlist') return { playlist_id: item.playlistId }
  if (item.kind === 'pod') return { type: 'AD_POD', duration: item.seconds }
  return {
    video_id: item.videoId,
    ...(item.in === '' ? {} : { in_ms: readVideoTime(item.in)! }),
    ...(item.out === '' ? {} : { out_ms: readVideoTime(item.out)! }),
  }
}

/** 0:12:34, or 0:12:34.500 where it is not a whole second. */
const printPoint = (ms: number | null | undefined): string =>
  ms == null ? '' : printVideoTime(ms).replace(/\.000$/, '')

const unreadablePoints = (items: readonly DraftItem[]): readonly ProgramFault[] =>
  items.flatMap((item, at) =>
    (['in', 'out'] as const)
      .filter(
        (point) => item.kind === 'video' && item[point] !== '' && readVideoTime(item[point]) === undefined,
      )
      .map((point) => ({
        field: 'items',
        item: at,
        point,
        text: 'Hours, minutes and seconds, such as 0:12:34.',
      })),
  )
