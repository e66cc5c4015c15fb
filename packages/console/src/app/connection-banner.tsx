import { utcTime } from '../shared/times.ts'
import classes from './connection-banner.module.css'
import type { Connection } from './live-updates.ts'

/** A screen that looks alive and is not would be worse than an empty one. */
export function ConnectionBanner({ connection }: { connection: Connection }) {
  return (
    <div className={classes['place']} role="status">
      {connection.kind === 'lost' && (
        <p className={classes['banner']}>
          <strong>Connection lost.</strong> What you see is from {utcTime(connection.sinceMs)} UTC. Trying to
          reconnect; channels stay on air.
        </p>
      )}
    </div>
  )
}
