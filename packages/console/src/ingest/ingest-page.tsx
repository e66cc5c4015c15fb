import { rolesFor, useMayCall } from '../session/may-call.ts'
import { useAddress } from '../shared/router.tsx'
import classes from './ingest.module.css'
import { IngestForm } from './ingest-form.tsx'
import { RequestList } from './request-list.tsx'
import { RequestPage } from './request-page.tsx'

/** Programs with their files: submitted here or by partners, and what becomes of them. */
export function IngestPage() {
  const { path } = useAddress()
  const isAllowed = useMayCall()('scheduleProgram')
  const [, , id = ''] = path.split('/')
  if (!isAllowed) {
    return (
      <>
        <h1>Ingest</h1>
        <p className={classes['hint']}>
          Ingest needs {rolesFor('scheduleProgram')}. An administrator of this account can grant it.
        </p>
      </>
    )
  }
  return (
    <>
      <h1>Ingest</h1>
      {id === '' ? (
        <div className={classes['columns']}>
          <IngestForm />
          <RequestList />
        </div>
      ) : (
        <RequestPage key={id} requestId={decodeURIComponent(id)} />
      )}
    </>
  )
}
