// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be drawn in part.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell.
import { HOUR_MS } from '@continuity/core/rules/zone-time'
import { memo, type RefObject } from 'react'
import { type Scale, widthOf, xOf } from './grid-scale.ts'
import classes from './time-grid.module.css'
import type { ZoneClock } from './zone-clock.ts'

interface GridHeaderProps {
  readonly corner: RefObject<HTMLDivElement | null>
  readonly scale: Scale
  readonly clock: ZoneClock
  readonly fromMs: number
  readonly toMs: number
}

/** The hours, which stay in sight. */
export const GridHeader = memo(function GridHeader({ corner, scale, clock, fromMs, toMs }: GridHeaderProps) {
  const everyMs = scale.hourWidth < 60 ? 3 * HOUR_MS : scale.hourWidth > 250 ? HOUR_MS / 2 : HOUR_MS
  const marks: number[] = []
  // From the beginning of a local day, so that zones with half hours have whole ones here.
  for (let day = clock.dayStart(fromMs); day < toMs; day = clock.dayStart(day, 1)) {
    const nextMs = clock.dayStart(day, 1)
    for (let ms = day; ms < nextMs; ms += everyMs) if (ms >= fromMs - everyMs && ms < toMs) marks.push(ms)
  }
  return (
    <div
      role="row"
      aria-rowindex={1}
      className={classes['header']}
      style={{ width: `calc(var(--side) + ${widthOf(scale)}px)` }}
    >
      <div role="columnheader" ref={corner} className={classes['corner']}>
        Channel <span>{clock.name}</span>
      </div>
      <div className={classes['hours']} role="presentation">
        {marks.map((ms) => (
          <div
            key={ms}
            role="columnheader"
            className={classes['hour']}
            data-day={ms === clock.dayStart(ms) || undefined}
            style={{ left: xOf(scale, ms) }}
          >
            {clock.time(ms)} <span>{clock.date(ms)}</span>
          </div>
        ))}
      </div>
    </div>
  )
})
