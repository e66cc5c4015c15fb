import { clockOffsetMs, useServerNow } from '../shared/server-time.ts'
import { LOCAL_ZONE, localDate, localTime, utcDate, utcTime } from '../shared/times.ts'
import classes from './clock.module.css'

/** The service's time: what switches happen by. */
export function Clock() {
  const nowMs = useServerNow()
  const seconds = Math.round(Math.abs(clockOffsetMs()) / 1_000)
  const isLocalUtc = localTime(nowMs) === utcTime(nowMs)
  return (
    // Not announced: a clock that speaks every second could not be turned off.
    <div className={classes['clock']} role="timer" aria-live="off" aria-label="Time of the service">
      <span className={classes['utc']}>
        {utcTime(nowMs)} <small>UTC</small>
      </span>
      <span className={classes['local']}>
        <span className={classes['date']}>{isLocalUtc ? utcDate(nowMs) : `${localDate(nowMs)}, `}</span>
        {!isLocalUtc && `${localTime(nowMs)} ${LOCAL_ZONE}`}
        {seconds > 0 && (
          <strong className={classes['off']}>
            {' '}
            this computer is {seconds} s {clockOffsetMs() > 0 ? 'fast' : 'slow'}
          </strong>
        )}
      </span>
    </div>
  )
}
