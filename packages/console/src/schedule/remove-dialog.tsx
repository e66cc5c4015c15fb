import { etagOf, isProblem } from '@continuity/client'
import { Alert, Button, Group, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../session/session-context.tsx'
import { commandProblemText } from '../shared/problem-text.ts'
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
    <Modal
      opened
      onClose={onClose}
      title={<strong>Remove {program.title}</strong>}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <p>
        {channel.title}, {clock.date(startMs)}, {clock.span(startMs, endMs)}. Its time is filled.{' '}
        {effects[program.origin.type]}
      </p>
      {remove.error !== null && (
        <Alert color="red" role="alert" mb="md">
          {isProblem(remove.error, 'record.changed')
            ? 'Another user has changed this program since you opened it. Close this, and look at it again.'
            : commandProblemText(remove.error)}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color="red.9"
          data-autofocus
          loading={remove.isPending}
          disabled={!detail}
          onClick={() => remove.mutate()}
        >
          Remove the program
        </Button>
      </Group>
    </Modal>
  )
}
