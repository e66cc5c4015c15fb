import { etagOf } from '@continuity/client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../session/session-context.tsx'
import { FormDialog } from '../shared/form-dialog.tsx'
import { keys } from '../shared/query-keys.ts'
import type { Channel, Program } from '../shared/wire-types.ts'
import { useProgramDetail } from './program-queries.ts'
import type { ZoneClock } from './zone-clock.ts'

interface RemoveDialogProps {
  readonly channel: Channel
  readonly program: Program
  readonly clock: ZoneClock
  readonly onClose: () => void
  readonly onRemoved: () => void
}

const effects: Readonly<Record<Program['origin']['type'], string>> = {
  REQUEST: 'Its ingest request is cancelled, and videos that only it needs are not packaged further.',
  OPERATOR: '',
  RULE: 'The rules plan nothing else in this time.',
}

/** States what happens, and removes the program only then. */
export function RemoveDialog({ channel, program, clock, onClose, onRemoved }: RemoveDialogProps) {
  const client = useClient()
  const queries = useQueryClient()
  const { data: detail } = useProgramDetail(channel.linear_channel_id, program)
  const remove = useMutation({
    mutationFn: async () => {
      const params = { linear_channel_id: channel.linear_channel_id, program_id: program.program_id }
      await client.cancelProgram({ params }, { ifMatch: detail ? etagOf(detail) : undefined })
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keys.programs(channel.linear_channel_id) })
      onRemoved()
    },
  })
  const startMs = Date.parse(program.start_time)
  const endMs = program.end_time === null ? null : Date.parse(program.end_time)
  return (
    <FormDialog
      title={`Remove ${program.title}`}
      submit="Remove the program"
      onSubmit={remove.mutate}
      onClose={onClose}
      isSending={remove.isPending}
      error={remove.error}
      reason={detail ? undefined : 'Loading…'}
      isDangerous
    >
      <p>
        {channel.title}, {clock.date(startMs)}, {clock.span(startMs, endMs)}. Its time is filled.{' '}
        {effects[program.origin.type]}
      </p>
    </FormDialog>
  )
}
