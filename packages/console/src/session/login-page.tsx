import { Alert, Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useState } from 'react'
import { READ_AGAIN_MS } from '../shared/page-state.tsx'
import { problemText } from '../shared/problem-text.ts'
import classes from './login-page.module.css'
import { useSessionStore } from './session-context.tsx'

export function LoginPage({ reason }: { reason?: 'ended' | 'unreachable' | undefined }) {
  const store = useSessionStore()
  const [fault, setFault] = useState<string>()
  const [isSending, setIsSending] = useState(false)

  useEffect(() => {
    if (reason !== 'unreachable') return undefined
    let isTrying = false // one at a time: a try takes up to 8 s
    const tryAgain = async () => {
      if (isTrying) return
      isTrying = true
      await store.resume()
      isTrying = false
    }
    const timer = setInterval(() => void tryAgain(), READ_AGAIN_MS)
    return () => clearInterval(timer)
  }, [reason, store])

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
            Your session is kept, and opens by itself when the service is back.
          </Alert>
        )}
        <TextInput
          name="account"
          label="Account name"
          autoComplete="organization"
          required
          withAsterisk={false}
          autoFocus
        />
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          required
          withAsterisk={false}
        />
        <PasswordInput
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          withAsterisk={false}
        />
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
