import { utcTime } from '../shared/times.ts'
import classes from './channel-page.module.css'
import type { Airing } from './guide.ts'

const SHOWN = 6

/** The next programs of a channel. */
export function Upcoming({ airings, nowMs }: { airings: readonly Airing[]; nowMs: number }) {
  const next = airings.filter(({ startMs }) => startMs > nowMs).slice(0, SHOWN)
  return (
    <section aria-label="Next programs">
      <h2>Next programs</h2>
      {next.length === 0 ? (
        <p className={classes['hint']}>
          Nothing scheduled. The channel shows its fillers or its rescue slate.
        </p>
      ) : (
        <ol className={classes['list']}>
          {next.map(({ title, startMs }) => (
            <li key={startMs}>
              <time dateTime={new Date(startMs).toISOString()}>{utcTime(startMs)} UTC</time>
              <span>{title}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
