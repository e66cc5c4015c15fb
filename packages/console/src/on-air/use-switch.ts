import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import type { PendingSwitch } from '../shared/wire-types.ts'
import type { SwitchKind } from './switch-rules.ts'

export interface SwitchCommand {
  readonly kind: SwitchKind
  readonly channelIds: readonly string[]
  /** Of a cut to a live source. */
  readonly liveSourceId: string | null
  /** The same when the command is repeated, so that no channel is cut twice. */
  readonly idempotencyKey: string
}

export interface SwitchResult {
  readonly channelId: string
  readonly onAirMs: number | undefined
  /** Of a channel that was not switched. */
  readonly code: string | undefined
  readonly message: string | undefined
}

/** Sends one command for all channels; each has its own result. */
export function useSwitch() {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (command: SwitchCommand): Promise<readonly SwitchResult[]> => {
      const { kind, liveSourceId, idempotencyKey } = command
      const body = command.channelIds.map((linear_channel_id) => ({ linear_channel_id }))
      const options = { idempotencyKey }
      const results =
        kind === 'return'
          ? await client.returnChannelsToSchedule({ body }, options)
          : liveSourceId === null
            ? await client.rescueChannels({ body }, options)
            : await client.overrideChannels({ params: { live_source_id: liveSourceId }, body }, options)
      return results.map((one) => ({
        channelId: one.linear_channel_id,
        onAirMs: one.on_air_at === undefined ? undefined : Date.parse(one.on_air_at),
        code: one.code,
        message: one.message,
      }))
    },
    onSuccess: (results, { kind, liveSourceId }) => {
      // The event of it follows; the countdown begins at once.
      for (const { channelId, onAirMs } of results) {
        if (onAirMs === undefined) continue
        queries.setQueryData<PendingSwitch>(keys.pendingSwitch(channelId), { kind, liveSourceId, onAirMs })
      }
      void queries.invalidateQueries({ queryKey: keys.channels })
    },
  })
}
