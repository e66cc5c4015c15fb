import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { problemText } from '../shared/problem-text.ts'
import classes from './login-page.module.css'
import { useSessionStore } from './session-context.tsx'

export function LoginPage({ reason }: { reason?: 'ended' | 'unreachable' | undefined }) {
  const store = useSessionStore()
  const [fault, setFault] = useState<string>()
  const [isSending, setIsSending] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => {
      const value = fields.get(name)
      return typeof value === 'string' ? value : ''
    }
    setIsSending(true)
    setFault(undefined)
    try {
      await store.logIn({ accountName: text('account'), email: text('email'), password: text('password') })
    } catch (error) {
      setFault(problemText(error))
      setIsSending(false)
    }
  }

  return (
    <main className={classes['page']}>
      <form className={classes['form']} onSubmit={(event) => void submit(event)}>
        <h1 className={classes['title']}>Continuity</h1>
        <p className={classes['subtitle']}>Control room</p>
        {reason === 'ended' && <Alert color="yellow">Your session has ended. Log in again.</Alert>}
        {reason === 'unreachable' && (
          <Alert color="red" title="No answer from the service">
            Your session is kept.{' '}
            <Button size="compact-sm" variant="white" color="dark" onClick={() => void store.resume()}>
              Try again
            </Button>
          </Alert>
        )}
        <TextInput name="account" label="Account name" autoComplete="organization" required autoFocus />
        <TextInput name="email" type="email" label="Email" autoComplete="username" required />
        <PasswordInput name="password" label="Password" autoComplete="current-password" required />
        {fault !== undefined && (
          <Alert color="red" role="alert">
            {fault}
          </Alert>
        )}
        <Button type="submit" loading={isSending} fullWidth>
          Log in
        </Button>
      </form>
    </main>
  )
}
