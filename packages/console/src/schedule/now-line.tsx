import { useServerNow } from '../shared/server-time.ts'
import { type Scale, xOf } from './grid-scale.ts'
import classes from './time-grid.module.css'

export function NowLine({ scale }: { scale: Scale }) {
  const x = xOf(scale, useServerNow())
  return (
    <div
      className={classes['now']}
      aria-hidden="true"
      style={{ left: `calc(var(--side) + ${x.toFixed(1)}px)` }}
    />
  )
}
