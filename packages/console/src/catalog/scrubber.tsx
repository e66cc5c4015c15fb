import { type KeyboardEvent, type PointerEvent as ReactPointerEvent, useRef } from 'react'
import { printVideoTime } from '../shared/video-times.ts'
import classes from './cue-editor.module.css'
import type { DraftCue } from './cue-times.ts'

interface ScrubberProps {
  readonly durationMs: number
  readonly positionMs: number
  readonly cues: readonly DraftCue[]
  readonly faultIndex: number | undefined
  readonly proposed: readonly number[]
  readonly onSeek: (ms: number) => void
  /** Undefined for users who may not move them. */
  readonly onMove: ((cue: DraftCue, atMs: number) => void) | undefined
  readonly onRemove: (cue: DraftCue) => void
}

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -100,
  ArrowDown: -100,
  ArrowRight: 100,
  ArrowUp: 100,
  PageDown: -10_000,
  PageUp: 10_000,
}
const SHIFT = 10

/** The length of the video, with the player's position and the cue points on it. */
export function Scrubber(props: ScrubberProps) {
  const { durationMs, positionMs, cues, faultIndex, proposed, onSeek, onMove, onRemove } = props
  const track = useRef<HTMLDivElement>(null)
  const at = (ms: number) => ({ left: `${(Math.min(ms, durationMs) / Math.max(1, durationMs)) * 100}%` })

  const drag = (cue: DraftCue) => (event: ReactPointerEvent<HTMLElement>) => {
    const box = track.current?.getBoundingClientRect()
    if (onMove === undefined || box === undefined || event.button !== 0) return
    const startX = event.clientX
    const follow = ({ clientX }: PointerEvent) => {
      if (Math.abs(clientX - startX) < 2) return
      onMove(cue, ((clientX - box.left) / box.width) * durationMs)
    }
    const stop = () => {
      removeEventListener('pointermove', follow)
      removeEventListener('pointerup', stop)
      removeEventListener('pointercancel', stop)
    }
    addEventListener('pointermove', follow)
    addEventListener('pointerup', stop)
    addEventListener('pointercancel', stop)
  }
  const press = (cue: DraftCue) => (event: KeyboardEvent) => {
    const step = steps[event.key]
    if (event.key === 'Enter') onSeek(cue.atMs)
    else if (onMove !== undefined && (event.key === 'Delete' || event.key === 'Backspace')) onRemove(cue)
    else if (onMove !== undefined && step !== undefined) {
      onMove(cue, cue.atMs + step * (event.shiftKey ? SHIFT : 1))
    } else return
    event.preventDefault()
  }
  return (
    <div className={classes['scrubber']}>
      <div ref={track} className={classes['track']}>
        {proposed.map((ms) => (
          <span key={ms} className={classes['mark']} data-kind="proposed" style={at(ms)} aria-hidden="true" />
        ))}
        {cues.map((cue, index) => (
          <span
            key={cue.key}
            className={classes['mark']}
            data-kind={index === faultIndex ? 'fault' : 'cue'}
            style={at(cue.atMs)}
            role="slider"
            tabIndex={0}
            aria-label={`Cue point ${index + 1}`}
            aria-readonly={onMove === undefined}
            aria-valuemin={0}
            aria-valuemax={durationMs}
            aria-valuenow={cue.atMs}
            aria-valuetext={printVideoTime(cue.atMs)}
            title={printVideoTime(cue.atMs)}
            onPointerDown={drag(cue)}
            onDoubleClick={() => onSeek(cue.atMs)}
            onKeyDown={press(cue)}
          />
        ))}
      </div>
      <input
        className={classes['position']}
        type="range"
        aria-label="Position"
        aria-valuetext={printVideoTime(positionMs)}
        min={0}
        max={durationMs}
        step={40}
        value={Math.min(positionMs, durationMs)}
        onChange={({ currentTarget }) => onSeek(Number(currentTarget.value))}
      />
      <div className={classes['scale']} aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <span key={share}>
            {printVideoTime(Math.round((durationMs * share) / 1_000) * 1_000).slice(0, -4)}
          </span>
        ))}
      </div>
      {onMove !== undefined && cues.length > 0 && (
        <p className={classes['hint']}>
          Drag a mark, or move it with <kbd>←</kbd> <kbd>→</kbd> by 0.1 s, with <kbd>Shift</kbd> by 1 s;{' '}
          <kbd>Delete</kbd> removes it.
        </p>
      )}
    </div>
  )
}
