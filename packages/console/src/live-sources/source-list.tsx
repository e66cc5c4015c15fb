import { PageState } from '../shared/page-state.tsx'
import { useLiveSources } from './live-source-query.ts'
import { SourceCard } from './source-card.tsx'
import classes from './source-list.module.css'

export function SourceList() {
  const { data: sources, error } = useLiveSources()
  if (sources === undefined) return <PageState title="Live sources" error={error} />
  return (
    <>
      <h1>Live sources</h1>
      {sources.length === 0 && (
        <p className={classes['hint']}>
          This account has no live sources yet. An administrator creates them with{' '}
          <code>POST /live_sources</code> (<a href="/docs">reference of the API</a>). A new one appears here
          by itself.
        </p>
      )}
      <ul className={classes['list']} aria-label="Live sources">
        {sources.map((source) => (
          <SourceCard key={source.live_source_id} source={source} />
        ))}
      </ul>
    </>
  )
}
