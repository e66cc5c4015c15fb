import { Button, CloseButton } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useUserNames } from '../on-air/channel-queries.ts'
import { componentNames } from '../on-air/program-bar.tsx'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { problemText } from '../shared/problem-text.ts'
import { Link } from '../shared/router.tsx'
import { useServerNow } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import type { Channel, Program } from '../shared/wire-types.ts'
import classes from './program-panel.module.css'
import { useProgramDetail } from './program-queries.ts'
import {
  isOverride,
  reasonAgainstChange,
  reasonAgainstRemoval,
  stateMeanings,
  stateTones,
  stateWords,
} from './program-words.ts'
import type { ZoneClock } from './zone-clock.ts'

interface ProgramPanelProps {
  readonly channel: Channel
  readonly program: Program
  readonly clock: ZoneClock
  readonly onChange: () => void
  readonly onRemove: () => void
  readonly onClose: () => void
}

/** One program: when, why, of what, and what can be done with it. */
export function ProgramPanel({ channel, program, clock, onChange, onRemove, onClose }: ProgramPanelProps) {
  const { data: detail, error } = useProgramDetail(channel.linear_channel_id, program)
  const startMs = Date.parse(program.start_time)
  const endMs = program.end_time === null ? null : Date.parse(program.end_time)
  return (
    <Panel label={`Program ${program.title}`} onClose={onClose}>
      <PanelHeading text={program.title} onClose={onClose} />
      <p className={classes['when']}>
        <Link to={`/on-air/${encodeURIComponent(channel.linear_channel_id)}`}>{channel.title}</Link>
        <span>
          {clock.date(startMs)}, {clock.span(startMs, endMs)}
        </span>
      </p>
      <p className={classes['state']}>
        <StatusBadge text={stateWords[program.state]} tone={stateTones[program.state]} />
        <span>{stateMeanings[program.state]}</span>
      </p>
      {program.warnings.length > 0 && (
        <ul className={classes['warnings']} aria-label="Warnings">
          {program.warnings.map(({ code, message }) => (
            <li key={`${code} ${message}`}>⚠ {readable(message, clock)}</li>
          ))}
        </ul>
      )}
      <Origin channel={channel} program={program} />
      {program.description !== '' && <p>{program.description}</p>}
      <Actions program={program} onChange={onChange} onRemove={onRemove} />
      <h3>Components</h3>
      {detail === undefined && error === null && <p className={classes['hint']}>Loading…</p>}
      {error !== null && (
        <p className={classes['hint']} role="alert">
          {problemText(error)}
        </p>
      )}
      {detail !== undefined && (detail?.components ?? []).length === 0 && (
        <p className={classes['hint']}>It has none.</p>
      )}
      <ol className={classes['components']}>
        {detail?.components?.map((component) => (
          <li key={`${component.start_time} ${component.type}`} data-type={component.type}>
            <time dateTime={component.start_time}>{clock.time(Date.parse(component.start_time))}</time>
            <span>
              {component.title ?? componentNames[component.type]}
              {component.title !== null && (
                <span className={classes['hint']}> {componentNames[component.type]}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const readable = (message: string, clock: ZoneClock) =>
  message.replaceAll(ISO_TIME, (time) => clock.moment(Date.parse(time)))

interface GapPanelProps {
  readonly channel: Channel
  readonly startMs: number
  readonly endMs: number
  readonly clock: ZoneClock
  readonly mayCreate: boolean
  readonly onCreate: () => void
  readonly onClose: () => void
}

/** Time without a program. */
export function GapPanel({ channel, startMs, endMs, clock, mayCreate, onCreate, onClose }: GapPanelProps) {
  const isPast = endMs <= useServerNow()
  return (
    <Panel label="No program" onClose={onClose}>
      <PanelHeading text="No program" onClose={onClose} />
      <p className={classes['when']}>
        <Link to={`/on-air/${encodeURIComponent(channel.linear_channel_id)}`}>{channel.title}</Link>
        <span>
          {clock.date(startMs)}, {clock.span(startMs, endMs)}
        </span>
      </p>
      <p className={classes['hint']}>
        {isPast
          ? 'No program was scheduled in this time. On air, the channel showed its fillers or its rescue slate.'
          : 'Nothing is scheduled in this time. On air, the channel shows its fillers or its rescue slate.'}
      </p>
      {!isPast && mayCreate && <Button onClick={onCreate}>Schedule a program here</Button>}
      {!isPast && !mayCreate && <NotAllowed />}
    </Panel>
  )
}

const NotAllowed = () => (
  <p className={classes['hint']}>
    Your roles allow no changes of schedules: that needs {rolesFor('createProgram')}.
  </p>
)

function Panel({
  label,
  onClose,
  children,
}: {
  label: string
  onClose: () => void
  children: React.ReactNode
}) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  }
  return (
    <aside className={classes['panel']} aria-label={label} onKeyDown={onKeyDown}>
      {children}
    </aside>
  )
}

function PanelHeading({ text, onClose }: { text: string; onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another program is another heading.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [text])
  return (
    <div className={classes['head']}>
      <h2 ref={heading} tabIndex={-1}>
        {text}
      </h2>
      <CloseButton aria-label="Close the program" onClick={onClose} />
    </div>
  )
}

function Origin({ channel, program }: Pick<ProgramPanelProps, 'channel' | 'program'>) {
  const names = useUserNames()
  const { type, id } = program.origin
  if (isOverride(program)) return <p>An override: an operator put the channel on it.</p>
  if (type === 'REQUEST') return <p>Ingested: a partner submitted it with its time.</p>
  if (type === 'OPERATOR') {
    const name = id === null ? undefined : names.get(id)
    return <p>One-off: {name ?? 'an operator'} scheduled it.</p>
  }
  return (
    <dl className={classes['rule']}>
      <div>
        <dt>Rule</dt>
        <dd>
          <Link to={`/schedule/${encodeURIComponent(channel.linear_channel_id)}`}>
            {id === 'default' || id === null ? 'The default of the channel' : id}
          </Link>
        </dd>
      </div>
      {program.reason !== null && (
        <div>
          <dt>Reason</dt>
          <dd>{program.reason}</dd>
        </div>
      )}
    </dl>
  )
}

function Actions({
  program,
  onChange,
  onRemove,
}: Pick<ProgramPanelProps, 'program' | 'onChange' | 'onRemove'>) {
  const nowMs = useServerNow()
  const mayCall = useMayCall()
  if (!mayCall('replaceProgram')) return <NotAllowed />
  const againstChange = reasonAgainstChange(program, nowMs)
  const againstRemoval = reasonAgainstRemoval(program, nowMs)
  return (
    <div className={classes['actions']}>
      <Button size="sm" disabled={againstChange !== undefined} onClick={onChange}>
        Move or change
      </Button>
      <Button size="sm" color="red.9" disabled={againstRemoval !== undefined} onClick={onRemove}>
        Remove
      </Button>
      {(againstRemoval ?? againstChange) !== undefined && (
        <p className={classes['hint']}>{againstRemoval ?? againstChange}</p>
      )}
    </div>
  )
}
