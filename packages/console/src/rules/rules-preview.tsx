import { Alert, Loader, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { createZoneClock, type ZoneClock } from '../schedule/zone-clock.ts'
import { problemText } from '../shared/problem-text.ts'
import { serverNowMs } from '../shared/server-time.ts'
import { timeLeft } from '../shared/times.ts'
import { useFixedPrograms, usePreview } from './plan-query.ts'
import classes from './rules-page.module.css'
import type { Preview, Rules } from './rules-types.ts'

/** After the last change of a field. */
const TYPING_MS = 500
const AHEAD_DAYS = 90

interface RulesPreviewProps {
  readonly channelId: string
  /** Undefined while there is something wrong with them. */
  readonly rules: Rules | undefined
  readonly faults: number
}

/** What the rules, as they are in the form, would show on a day, and why. */
export function RulesPreview({ channelId, rules, faults }: RulesPreviewProps) {
  const settled = useSettled(rules)
  const [nowMs] = useState(serverNowMs)
  const clock = createZoneClock(settled?.time_zone ?? 'UTC', nowMs)
  const [day, setDay] = useState(() => clock.toInput(clock.dayStart(nowMs, 1)).slice(0, 10))
  const dayMs = clock.fromInput(`${day}T00:00:00`) ?? nowMs
  const range = { fromMs: Math.max(dayMs, nowMs), toMs: clock.dayStart(dayMs, 1) }
  const isInFuture = range.toMs > range.fromMs
  const { data: preview, error, isFetching } = usePreview(channelId, isInFuture ? settled : undefined, range)
  const { data: fixed = [] } = useFixedPrograms(
    channelId,
    isInFuture ? range : { fromMs: nowMs, toMs: nowMs + 1 },
  )
  return (
    <section className={classes['preview']} aria-label="Preview">
      <div className={classes['preview-head']}>
        <h2>Preview</h2>
        <TextInput
          type="date"
          aria-label="Day of the preview"
          min={clock.toInput(nowMs).slice(0, 10)}
          max={clock.toInput(clock.dayStart(nowMs, AHEAD_DAYS)).slice(0, 10)}
          value={day}
          onChange={({ currentTarget }) => setDay(currentTarget.value)}
        />
        {isFetching && <Loader size="xs" aria-hidden="true" />}
      </div>
      {faults > 0 && (
        <p className={classes['hint']} role="status">
          It follows when {faults === 1 ? 'the problem is' : `the ${faults} problems are`} mended.
          {preview !== undefined && ' Below is the day as it was before.'}
        </p>
      )}
      {!isInFuture && <p className={classes['hint']}>This day has passed. Choose another one.</p>}
      {error !== null && faults === 0 && (
        <Alert color="red" role="alert">
          {problemText(error)}
        </Alert>
      )}
      {preview !== undefined && isInFuture && (
        <div>
          <p className={classes['hint']}>
            {clock.date(dayMs)}, times {clock.name}. {preview.programs.length}{' '}
            {preview.programs.length === 1 ? 'program' : 'programs'} by rules
            {preview.fill_ms >= 60_000 && `, ${hours(preview.fill_ms)} filled`}. Nothing is stored yet.
          </p>
          <Warnings preview={preview} clock={clock} />
          <ol className={classes['programs']}>
            {rowsOf(preview, fixed, range).map((row) => (
              <li key={`${row.startMs} ${row.title}`} data-kind={row.kind}>
                <time>
                  {clock.minute(row.startMs)}–{clock.minute(row.endMs)}
                </time>
                <span>
                  <strong>{row.title}</strong>{' '}
                  {row.rule !== '' && <span className={classes['rule']}>{row.rule}</span>}
                  {row.reason !== '' && <span className={classes['reason']}>{row.reason}</span>}
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </section>
  )
}

const warningWords: Readonly<Record<Preview['warnings'][number]['code'], string>> = {
  nothing_to_play: 'Nothing to show',
  separation_broken: 'Repeated too soon',
  break_left_out: 'Break left out',
  interstitial_left_out: 'Interstitial left out',
  replay_left_out: 'Replay left out',
  episode_left_out: 'Episode left out',
}

const SHOWN = 6

function Warnings({ preview, clock }: { preview: Preview; clock: ZoneClock }) {
  if (preview.warnings_total === 0) return null
  return (
    <ul className={classes['warnings']} aria-label="Warnings of the preview">
      {preview.warnings.slice(0, SHOWN).map(({ code, at, message }) => (
        <li key={`${at} ${code} ${message}`}>
          <strong>
            ⚠ {clock.minute(Date.parse(at))} {warningWords[code]}.
          </strong>{' '}
          {message}
        </li>
      ))}
      {preview.warnings_total > SHOWN && <li>And {preview.warnings_total - SHOWN} more.</li>}
    </ul>
  )
}

interface Row {
  readonly kind: 'rule' | 'fixed' | 'fill'
  readonly startMs: number
  readonly endMs: number
  readonly title: string
  readonly rule: string
  readonly reason: string
}

const MINUTE_MS = 60_000

/** Programs of rules, those that they leave as they are, and the time between. */
function rowsOf(
  preview: Preview,
  fixed: NonNullable<ReturnType<typeof useFixedPrograms>['data']>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly Row[] {
  const programs: Row[] = [
    ...preview.programs.map((it) => ({
      kind: 'rule' as const,
      startMs: Date.parse(it.start_time),
      endMs: Date.parse(it.end_time),
      title: it.title,
      rule: it.rule,
      reason: it.reason,
    })),
    ...fixed.map((it) => ({
      kind: 'fixed' as const,
      startMs: Date.parse(it.start_time),
      endMs: it.end_time === null ? toMs : Date.parse(it.end_time),
      title: it.title,
      rule: it.origin.type === 'REQUEST' ? 'ingest' : 'one-off',
      reason: '',
    })),
  ].toSorted((a, b) => a.startMs - b.startMs)
  const rows: Row[] = []
  let atMs = fromMs
  const fillUntil = (untilMs: number) => {
    if (untilMs - atMs < MINUTE_MS) return
    const title = `Fill, ${hours(untilMs - atMs)}`
    rows.push({ kind: 'fill', startMs: atMs, endMs: untilMs, title, rule: '', reason: '' })
  }
  for (const program of programs) {
    fillUntil(Math.min(program.startMs, toMs))
    rows.push(program)
    atMs = Math.max(atMs, program.endMs)
  }
  fillUntil(toMs)
  return rows
}

const hours = (ms: number): string =>
  ms < 60 * MINUTE_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${timeLeft(ms).replace(/:\d\d$/, '')} h`

/** The last value after a moment without a change; undefined at once. */
function useSettled<T>(value: T | undefined): T | undefined {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    if (value === undefined) return undefined
    const timer = setTimeout(() => setSettled(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
