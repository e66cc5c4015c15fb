import { Button } from '@mantine/core'
import { useState } from 'react'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { PageState } from '../shared/page-state.tsx'
import { useLiveSources } from './live-source-query.ts'
import { SourceCard } from './source-card.tsx'
import { SourceForm } from './source-dialogs.tsx'
import classes from './source-list.module.css'

export function SourceList() {
  const { data: sources, error } = useLiveSources()
  const [isAdding, setIsAdding] = useState(false)
  const mayAdd = useMayCall()('createLiveSource')
  if (sources === undefined) return <PageState title="Live sources" error={error} />
  return (
    <>
      <div className={classes['top']}>
        <h1>Live sources</h1>
        {mayAdd && <Button onClick={() => setIsAdding(true)}>Add a live source</Button>}
      </div>
      {sources.length === 0 && (
        <p className={classes['hint']}>
          This account has no live sources yet.{' '}
          {mayAdd
            ? 'One is pulled as HLS from an address, and measured when it is activated.'
            : `It takes ${rolesFor('createLiveSource')} to add one; it then appears here by itself.`}
        </p>
      )}
      <ul className={classes['list']} aria-label="Live sources">
        {sources.map((source) => (
          <SourceCard key={source.live_source_id} source={source} />
        ))}
      </ul>
      {isAdding && <SourceForm onClose={() => setIsAdding(false)} />}
    </>
  )
}
