// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be drawn in part.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell.
import { memo } from 'react'
import { Link } from '../shared/router.tsx'
import type { Channel, Program } from '../shared/wire-types.ts'
import { indentOf, ROW_HEIGHT, type Scale, xOf } from './grid-scale.ts'
import type { Motion } from './motion.ts'
import { originKind, originWords, stateWords } from './program-words.ts'
import { useCells } from './programs-query.ts'
import { type Cell, cellAt, keyOf } from './row-cells.ts'
import classes from './time-grid.module.css'
import type { ZoneClock } from './zone-clock.ts'

/** Where a program is going to be, while it is dragged or moved by keys. */
export interface Ghost {
  readonly channelId: string
  readonly startMs: number
  readonly endMs: number
  readonly title: string
}

export interface GridRowProps {
  readonly channel: Channel
  readonly index: number
  readonly scale: Scale
  readonly clock: ZoneClock
  readonly fromMs: number
  readonly toMs: number
  /** The left edge of what is in sight, as of the end of the last scroll. */
  readonly edgeX: number
  readonly motion: Motion
  /** Where the keyboard is, if it is in this row. */
  readonly cursorMs: number | undefined
  readonly selectedKey: string | undefined
  readonly ghost: Ghost | undefined
  /** When its schedule ends, if that is soon; `null` if nothing is scheduled. */
  readonly endMs: number | null | undefined
}

export const cursorId = (channelId: string, cursorMs: number): string => `cell-${channelId}-${cursorMs}`

/** A channel with its programs. Drawn again only if something in it changes. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { channel, index, scale, clock, fromMs, toMs, edgeX, cursorMs, ghost, endMs } = props
  const id = channel.linear_channel_id
  const cells = useCells(id, fromMs, toMs, props.motion)
  const active = cursorMs === undefined ? undefined : cellAt(cells, cursorMs)
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes['row']}
      style={{ top: index * ROW_HEIGHT }}
      data-channel={id}
    >
      <div role="rowheader" className={classes['channel']}>
        <Link to={`/schedule/${encodeURIComponent(id)}`} title={`Rules of ${channel.title}`}>
          {channel.title}
        </Link>
        {endMs === undefined ? (
          <span className={classes['status']}>
            {channel.status === 'ON_AIR' || channel.status === 'PENDING_OFFLINE' ? 'On air' : 'Off air'}
          </span>
        ) : (
          <span className={classes['ending']}>
            ⚠ {endMs === null ? 'Nothing scheduled' : `Ends ${clock.minute(endMs)}`}
          </span>
        )}
      </div>
      <div className={classes['track']} role="presentation">
        {cells.map((cell) => {
          const left = xOf(scale, cell.startMs)
          const width = xOf(scale, cell.endMs) - left
          return (
            <GridCell
              key={cell.kind === 'program' ? keyOf(cell.program) : `${cell.kind} ${cell.startMs}`}
              {...cell}
              left={left}
              width={width}
              indent={indentOf(left, width, edgeX)}
              clock={clock}
              id={cell === active ? cursorId(id, cursorMs!) : undefined}
              isSelected={cell.kind === 'program' && keyOf(cell.program) === props.selectedKey}
            />
          )
        })}
        {endMs != null && (
          <div className={classes['end']} aria-hidden="true" style={{ left: xOf(scale, endMs) }} />
        )}
        {ghost !== undefined && (
          <div
            className={classes['ghost']}
            aria-hidden="true"
            style={{
              left: xOf(scale, ghost.startMs),
              width: xOf(scale, ghost.endMs) - xOf(scale, ghost.startMs),
            }}
          >
            <span className={classes['label']}>
              <strong>{ghost.title}</strong>
              <small>
                <br />
                {clock.time(ghost.startMs)}–{clock.time(ghost.endMs)}
              </small>
            </span>
          </div>
        )}
      </div>
    </div>
  )
})

/** The parts of the cell one by one, since the cells of a row are made again each time that it moves. */
type GridCellProps = Cell & {
  readonly left: number
  readonly width: number
  /** How far its label is from its start, to be in sight. */
  readonly indent: number
  readonly clock: ZoneClock
  /** Of the cell that the keyboard is at. */
  readonly id: string | undefined
  readonly isSelected: boolean
}

/** Below these widths a cell is only a shape: what is left of a text would be a letter or two. */
const GAP_WIDTH = 96
const TITLE_WIDTH = 28
const TIMES_WIDTH = 56
const BADGE_WIDTH = 110

const GridCell = memo(function GridCell(props: GridCellProps) {
  const { kind, startMs, left, width, clock, id, isSelected } = props
  const program = kind === 'program' ? props.program : undefined
  return (
    <div
      role="gridcell"
      id={id}
      className={classes['cell']}
      data-cell={startMs}
      data-kind={program === undefined ? kind : originKind(program)}
      data-state={program?.state}
      data-active={id === undefined ? undefined : true}
      aria-selected={isSelected}
      // A pixel less, so that there is a line between programs without a gap.
      style={{ left, width: Math.max(width - 1, 2), paddingLeft: props.indent || undefined }}
    >
      <span className={classes['name']}>{describe(props, clock)}</span>
      {width > (program === undefined ? GAP_WIDTH : TITLE_WIDTH) && (
        <span className={classes['label']} aria-hidden="true">
          {program === undefined ? (
            <small>{notes[kind as keyof typeof notes]}</small>
          ) : (
            <>
              <strong>
                {program.warnings.length > 0 && <span className={classes['mark']}>⚠ </span>}
                {program.title}
              </strong>
              {width > TIMES_WIDTH && (
                <small>
                  <br />
                  {program.state === 'ON_AIR' && width > BADGE_WIDTH && (
                    <b className={classes['on-air']}>On air</b>
                  )}
                  {wordsIn(width, props, program, clock)}
                </small>
              )}
            </>
          )}
        </span>
      )}
    </div>
  )
})

/** As much as there is room for; the panel and the name of the cell have all of it. */
function wordsIn(width: number, { startMs, endMs }: Cell, program: Program, clock: ZoneClock): string {
  const end = width < 120 ? '' : `–${program.end_time === null ? '' : clock.minute(endMs)}`
  const state = program.state === 'ON_AIR' ? '' : ` · ${stateWords[program.state]}`
  return `${clock.minute(startMs)}${end} ${originWords[originKind(program)]}${state}`
}

const notes = { gap: 'No program', loading: 'Loading…', failed: 'Could not be loaded' } as const

function describe(cell: Cell, clock: ZoneClock): string {
  if (cell.kind !== 'program') {
    return `${notes[cell.kind]}, ${clock.date(cell.startMs)}, ${clock.span(cell.startMs, cell.endMs)}`
  }
  const { program, startMs, endMs } = cell
  const when = `${clock.date(startMs)}, ${clock.span(startMs, program.end_time === null ? null : endMs)}`
  const warning = program.warnings.length > 0 ? ', with warnings' : ''
  return `${program.title}, ${when}, ${originWords[originKind(program)]}, ${stateWords[program.state]}${warning}`
}
