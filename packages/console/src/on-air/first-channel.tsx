import { Alert, Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { commandProblemText } from '../shared/problem-text.ts'
import { Link } from '../shared/router.tsx'
import { useCreateChannel } from './use-create-channel.ts'
import classes from './wall.module.css'

/** What an account without channels shows instead of the wall. */
export function FirstChannel() {
  const mayCall = useMayCall()
  const [title, setTitle] = useState('')
  const { mutate, error, isPending } = useCreateChannel()
  if (!mayCall('createLinearChannel') || !mayCall('startLinearChannel')) {
    return (
      <p className={classes['hint']}>
        This account has no channels yet. It takes {rolesFor('createLinearChannel')} to make one; it then
        appears here by itself.
      </p>
    )
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() !== '') mutate({ title: title.trim(), isStarted: true })
  }
  return (
    <form className={classes['first']} onSubmit={send} aria-label="First channel">
      <h2>Put a first channel on the air</h2>
      <p>It shows slates until it has programs, and is on the air as soon as they are made.</p>
      <TextInput
        label="Name of the channel"
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
        maxLength={200}
        autoFocus
      />
      {error !== null && (
        <Alert color="red" role="alert">
          {commandProblemText(error)}
        </Alert>
      )}
      <Button type="submit" loading={isPending} disabled={title.trim() === ''}>
        Make and start it
      </Button>
      <p className={classes['hint']}>
        Then submit films under <Link to="/ingest">Ingest</Link>, or plan what the catalog has by rules under{' '}
        <Link to="/schedule">Schedule</Link>. All of it, step by step, is in{' '}
        <code>docs/first-channel-console.md</code>.
      </p>
    </form>
  )
}
