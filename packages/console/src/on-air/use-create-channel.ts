import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import { navigate } from '../shared/router.tsx'

interface NewChannel {
  readonly title: string
  /** Whether it is put on the air at once. */
  readonly isStarted: boolean
}

/** Makes a channel and opens its page. */
export function useCreateChannel() {
  const client = useClient()
  const queries = useQueryClient()
  const sent = useRef({ title: '', key: '' })
  return useMutation({
    mutationFn: async ({ title, isStarted }: NewChannel) => {
      // The same name again is the same channel: only its start may have failed.
      if (sent.current.title !== title) sent.current = { title, key: crypto.randomUUID() }
      const options = { idempotencyKey: sent.current.key }
      const { linear_channel_id } = await client.createLinearChannel({ body: { title } }, options)
      if (isStarted) await client.startLinearChannel({ params: { linear_channel_id } })
      return linear_channel_id
    },
    // After a failure too: the channel may have been made.
    onError: () => queries.invalidateQueries({ queryKey: keys.channels }),
    onSuccess: async (channelId) => {
      await queries.invalidateQueries({ queryKey: keys.channels })
      navigate(`/on-air/${channelId}`)
    },
  })
}
