import { useQuery } from '@tanstack/react-query'
import { useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import type { Alert, AuditEntry, Channel, PendingSwitch } from '../shared/wire-types.ts'

/** More open alerts than anyone reads; the rest shows up as these are closed. */
const ALERTS_MAXIMUM = 200

const HISTORY_LENGTH = 20

/** The same one each time, so that what depends on it is not drawn again. */
export const NO_ALERTS: readonly Alert[] = []

const inOrder = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** By title, so that a channel keeps its place on the wall whatever happens to it. */
export function useChannels() {
  const client = useClient()
  return useQuery({
    queryKey: keys.channels,
    queryFn: async ({ signal }): Promise<readonly Channel[]> =>
      (await client.listLinearChannels({}, { signal })).toSorted((a, b) => inOrder.compare(a.title, b.title)),
  })
}

export function useOpenAlerts(): readonly Alert[] {
  const client = useClient()
  const { data } = useQuery({
    queryKey: keys.alerts,
    queryFn: async ({ signal }) => {
      const alerts: Alert[] = []
      for await (const alert of client.listAlerts.all({ query: { state: 'OPEN' } }, { signal })) {
        alerts.push(alert)
        if (alerts.length === ALERTS_MAXIMUM) break
      }
      return alerts
    },
  })
  return data ?? NO_ALERTS
}

/** Written by the event stream. */
export function usePendingSwitch(channelId: string): PendingSwitch | null {
  const { data } = useQuery<PendingSwitch | null>({
    queryKey: keys.pendingSwitch(channelId),
    queryFn: () => null,
    enabled: false,
    initialData: null,
  })
  return data
}

/** Who did what to a channel, newest first; undefined for users who may not read it. */
export function useHistory(channelId: string): readonly AuditEntry[] | undefined {
  const client = useClient()
  const mayRead = useMayCall()('listAudit')
  const { data } = useQuery({
    queryKey: keys.auditOf(channelId),
    enabled: mayRead,
    queryFn: async ({ signal }) => {
      const query = { subject_id: channelId, page_size: HISTORY_LENGTH }
      return (await client.listAudit({ query }, { signal })).hits
    },
  })
  return mayRead ? (data ?? []) : undefined
}

/** The names of the account's users, by their ids. */
export function useUserNames(): ReadonlyMap<string, string> {
  const client = useClient()
  const mayRead = useMayCall()('listUsers')
  const { data } = useQuery({
    queryKey: keys.users,
    enabled: mayRead,
    queryFn: async ({ signal }) => {
      const names = new Map<string, string>()
      for await (const { user_id, name, email } of client.listUsers.all({}, { signal })) {
        names.set(user_id, name === '' ? email : name)
      }
      return names
    },
  })
  return data ?? new Map<string, string>()
}
