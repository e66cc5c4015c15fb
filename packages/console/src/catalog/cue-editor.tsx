import { etagOf } from '@continuity/client'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import { printVideoTime, readVideoTime } from '../shared/video-times.ts'
import type { Video } from '../shared/wire-types.ts'
import classes from './cue-editor.module.css'
import { cueFault, type DraftCue } from './cue-times.ts'
import { SaveDraft } from './save-draft.tsx'
import { Scrubber } from './scrubber.tsx'

type CuePoint = Video['cue_points'][number]

interface CueEditorProps {
  readonly video: Video
  readonly player: RefObject<HTMLVideoElement | null>
}

interface Draft {
  readonly cues: readonly DraftCue[]
  /** The video as the user saw it: a change of another user meanwhile is a conflict, however often it is saved. */
  readonly of: Video
}

/** Where breaks cut the video, on a scrubber that moves the player. */
export function CueEditor({ video, player }: CueEditorProps) {
  const mayChange = useMayCall()('changeVideo')
  const [draft, setDraft] = useState<Draft>()
  const [positionMs, seek] = usePosition(player, video.media_url)
  const save = useSave(draft?.of ?? video, () => setDraft(undefined))
  const durationMs = video.duration * 1_000
  const used = video.cue_points.filter(({ origin }) => origin !== 'PROPOSED')
  const cues = draft?.cues ?? used.map(({ at_ms }) => ({ key: `at ${at_ms}`, atMs: at_ms }))
  const times = cues.map(({ atMs }) => atMs)
  const proposed = video.cue_points
    .filter(({ origin, at_ms }) => origin === 'PROPOSED' && !times.includes(at_ms))
    .map(({ at_ms }) => at_ms)
  const fault = cueFault(times, durationMs)
  const change = (next: readonly DraftCue[]) => {
    save.reset()
    setDraft({ cues: next.toSorted((one, other) => one.atMs - other.atMs), of: draft?.of ?? video })
  }
  const add = (atMs: number) => change([...cues, { key: crypto.randomUUID(), atMs }])
  const move = (cue: DraftCue, atMs: number) =>
    change(
      cues.map((one) =>
        one.key === cue.key ? { ...one, atMs: Math.max(0, Math.min(durationMs, Math.round(atMs))) } : one,
      ),
    )
  const remove = (cue: DraftCue) => change(cues.filter(({ key }) => key !== cue.key))
  return (
    <section aria-labelledby="cue-points">
      <h3 id="cue-points">Cue points</h3>
      <Scrubber
        durationMs={durationMs}
        positionMs={positionMs}
        cues={cues}
        faultIndex={fault?.index}
        proposed={proposed}
        onSeek={seek}
        onMove={mayChange ? move : undefined}
        onRemove={remove}
      />
      <div className={classes['commands']}>
        <output className={classes['now']}>{printVideoTime(positionMs)}</output>
        {mayChange && (
          <Button size="xs" variant="default" onClick={() => add(positionMs)}>
            Add a cue point here
          </Button>
        )}
        {mayChange && video.cue_points_ms !== null && draft === undefined && (
          <Button size="xs" variant="default" loading={save.isPending} onClick={() => save.mutate(null)}>
            Use the chapters of the file
          </Button>
        )}
      </div>
      {cues.length === 0 ? (
        <p className={classes['hint']}>None: breaks are made before and after this video only.</p>
      ) : (
        <ol className={classes['list']} aria-label="Cue points in order">
          {cues.map((cue, at) => (
            <CueRow
              key={cue.key}
              number={at + 1}
              cue={cue}
              point={draft === undefined ? used[at] : undefined}
              fault={fault?.index === at ? fault.text : undefined}
              onSeek={() => seek(cue.atMs)}
              onMove={mayChange ? (atMs) => move(cue, atMs) : undefined}
              onRemove={() => remove(cue)}
            />
          ))}
        </ol>
      )}
      {proposed.length > 0 && (
        <div className={classes['proposals']}>
          <span>Proposed, where picture and sound pause:</span>
          {proposed.map((atMs) => (
            <span key={atMs} className={classes['proposal']}>
              <Button size="compact-sm" variant="subtle" onClick={() => seek(atMs)}>
                {printVideoTime(atMs)}
              </Button>
              {mayChange && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Use ${printVideoTime(atMs)}`}
                  onClick={() => add(atMs)}
                >
                  Use
                </Button>
              )}
            </span>
          ))}
        </div>
      )}
      {!mayChange && <p className={classes['hint']}>To change them, you need {rolesFor('changeVideo')}.</p>}
      <SaveDraft
        isOpen={draft !== undefined}
        save={{ ...save, mutate: () => save.mutate(times) }}
        submit="Save the cue points"
        subject="this video"
        isInvalid={fault !== undefined}
        onDiscard={() => setDraft(undefined)}
      >
        The file is packaged again where it has no boundary at a cue point. Until then everything plays the
        present package. Programs of the next seven days keep their breaks.
      </SaveDraft>
    </section>
  )
}

interface CueRowProps {
  readonly number: number
  readonly cue: DraftCue
  /** As the service has it; undefined for one that is not saved. */
  readonly point: CuePoint | undefined
  readonly fault: string | undefined
  readonly onSeek: () => void
  readonly onMove: ((atMs: number) => void) | undefined
  readonly onRemove: () => void
}

function CueRow({ number, cue, point, fault, onSeek, onMove, onRemove }: CueRowProps) {
  const [typed, setTyped] = useState<string>()
  const isReadable = typed === undefined || readVideoTime(typed) !== undefined
  const settle = () => {
    const atMs = typed === undefined ? undefined : readVideoTime(typed)
    if (atMs !== undefined && atMs !== cue.atMs) onMove?.(atMs)
    if (atMs !== undefined) setTyped(undefined)
  }
  return (
    <li className={classes['cue']}>
      {onMove === undefined ? (
        <span className={classes['time']}>{printVideoTime(cue.atMs)}</span>
      ) : (
        <TextInput
          size="sm"
          aria-label={`Time of cue point ${number}`}
          classNames={{ input: classes['time']! }}
          value={typed ?? printVideoTime(cue.atMs)}
          error={isReadable ? fault : 'Hours, minutes and seconds, such as 0:12:34.500'}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onBlur={settle}
          onKeyDown={(event) => {
            if (event.key === 'Enter') settle()
          }}
        />
      )}
      <span className={classes['origin']}>{point === undefined ? 'Not saved' : pointText(point)}</span>
      <span className={classes['buttons']}>
        <Button size="compact-sm" variant="default" aria-label={`Show cue point ${number}`} onClick={onSeek}>
          Show
        </Button>
        {onMove !== undefined && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Remove cue point ${number}`}
            onClick={onRemove}
          >
            Remove
          </Button>
        )}
      </span>
    </li>
  )
}

/** Half a frame is as exact as a cut can be. */
const EXACT_MS = 20

function pointText({ origin, offset_ms }: CuePoint): string {
  const from = origin === 'CHAPTER' ? 'Chapter of the file' : 'Given'
  if (offset_ms === null) return from
  if (Math.abs(offset_ms) <= EXACT_MS) return `${from}, cut to the frame`
  const seconds = (Math.abs(offset_ms) / 1_000).toFixed(1)
  return `${from}, cut ${seconds} s ${offset_ms > 0 ? 'later' : 'earlier'} until it is packaged again`
}

/** Where the player is, and how to move it. Without a player the scrubber has a position of its own. */
function usePosition(
  player: RefObject<HTMLVideoElement | null>,
  address: string | null,
): [number, (ms: number) => void] {
  const [positionMs, setPositionMs] = useState(0)
  useEffect(() => {
    const video = player.current
    if (video === null || address === null) return undefined
    const follow = () => setPositionMs(Math.round(video.currentTime * 1_000))
    const kinds = ['timeupdate', 'seeking', 'seeked'] as const
    for (const kind of kinds) video.addEventListener(kind, follow)
    return () => {
      for (const kind of kinds) video.removeEventListener(kind, follow)
    }
  }, [player, address])
  const seek = (ms: number) => {
    setPositionMs(ms)
    if (player.current !== null) player.current.currentTime = ms / 1_000
  }
  return [positionMs, seek]
}

/** Null returns to the chapters of the file. */
function useSave(video: Video, onSaved: () => void) {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (cue_points_ms: readonly number[] | null) =>
      client.changeVideo(
        {
          params: { video_id: video.video_id },
          body: { cue_points_ms: cue_points_ms === null ? null : [...cue_points_ms] },
        },
        { ifMatch: etagOf(video) },
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.video(video.video_id) }),
    onSuccess: onSaved,
  })
}
