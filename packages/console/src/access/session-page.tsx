import { Button } from '@mantine/core'
import { roleText } from '../session/role-words.ts'
import { useSession, useSessionStore } from '../session/session-context.tsx'
import classes from './access.module.css'

/** The session of this browser. The service has no list of sessions. */
export function SessionPage() {
  const store = useSessionStore()
  const session = useSession()
  if (session.kind !== 'open') return null
  return (
    <>
      <dl className={classes['facts']}>
        <dt>Account</dt>
        <dd>{session.accountName}</dd>
        <dt>User</dt>
        <dd>{session.email}</dd>
        <dt>Roles</dt>
        <dd>{session.roles.map(roleText).join(', ')}</dd>
      </dl>
      <Button variant="default" onClick={() => void store.logOut()}>
        End this session
      </Button>
      <p className={classes['empty']}>
        It ends in all tabs of this browser. To end the sessions of a user everywhere, an administrator gives
        the user a new password, or disables the user.
      </p>
    </>
  )
}
