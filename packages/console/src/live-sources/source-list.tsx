import { Alert } from '@mantine/core'
import { problemText } from '../shared/problem-text.ts'
import { useLiveSources } from './live-source-query.ts'
import { SourceCard } from './source-card.tsx'
import classes from './source-list.module.css'

export function SourceList() {
  const { data: sources, error } = useLiveSources()
  if (error !== null) return <Alert color="red">{problemText(error)}</Alert>
  if (sources === undefined) return <p>Reading the live sources…</p>
  return (
    <>
      <h1>Live sources</h1>
      {sources.length === 0 && <p>This account has no live sources yet. An administrator creates them.</p>}
      <ul className={classes['list']} aria-label="Live sources">
        {sources.map((source) => (
          <SourceCard key={source.live_source_id} source={source} />
        ))}
      </ul>
    </>
  )
}
