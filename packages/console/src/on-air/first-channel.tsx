import { Alert, Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { commandProblemText } from '../shared/problem-text.ts'
import { keys } from '../shared/query-keys.ts'
import { navigate } from '../shared/router.tsx'
import classes from './wall.module.css'

/** What an account without channels shows instead of the wall. */
export function FirstChannel() {
  const client = useClient()
  const queries = useQueryClient()
  const mayCall = useMayCall()
  const [title, setTitle] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const { linear_channel_id } = await client.createLinearChannel({ body: { title: title.trim() } })
      await client.startLinearChannel({ params: { linear_channel_id } })
      return linear_channel_id
    },
    // After a failure too: the channel may have been made.
    onError: () => queries.invalidateQueries({ queryKey: keys.channels }),
    onSuccess: async (channelId) => {
      await queries.invalidateQueries({ queryKey: keys.channels })
      navigate(`/on-air/${channelId}`)
    },
  })
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
    if (title.trim() !== '') mutate()
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
        Then bring films with <code>continuity ingest submit</code> or <code>catalog import</code>, and plan
        them by rules under Schedule. All of it is in <code>docs/first-channel.md</code> and in the{' '}
        <a href="/docs">reference of the API</a>.
      </p>
    </form>
  )
}
