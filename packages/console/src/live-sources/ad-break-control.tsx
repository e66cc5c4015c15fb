import { isProblem } from '@continuity/client'
import { Alert, Button, NumberInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { commandProblemText } from '../shared/problem-text.ts'
import { keys } from '../shared/query-keys.ts'
import { useServerNow } from '../shared/server-time.ts'
import { timeLeft, utcTime } from '../shared/times.ts'
import type { AdBreak, LiveSource } from '../shared/wire-types.ts'
import classes from './source-list.module.css'

const USUAL_SECONDS = 60
const MAXIMUM_SECONDS = 600

/** Begins an ad break and ends it early. Events report its exact times, also of breaks that others have begun. */
export function AdBreakControl({ source }: { source: LiveSource }) {
  const { live_source_id, name } = source
  const client = useClient()
  const nowMs = useServerNow()
  const [seconds, setSeconds] = useState<number>(USUAL_SECONDS)
  const { data: adBreak } = useQuery<AdBreak | null>({
    queryKey: keys.adBreak(live_source_id),
    queryFn: () => null,
    enabled: false,
    initialData: null,
  })
  const params = { live_source_id }
  const insert = useMutation({
    mutationFn: () => client.insertAdBreak({ params, body: { duration: seconds } }),
  })
  const end = useMutation({ mutationFn: () => client.endAdBreak({ params }) })
  const isOpen = adBreak !== null && nowMs < adBreak.endsMs
  const error = insert.error ?? end.error
  // A break that began before this page was opened is known only by this answer.
  const isOpenElsewhere = isProblem(insert.error, 'ad_break.open')
  const canEnd = isOpen || isOpenElsewhere
  return (
    <>
      {isOpen && (
        <p className={classes['countdown']} role="timer" aria-label={`Ad break of ${name}`}>
          {nowMs < adBreak.beginsMs
            ? `Ad break in ${timeLeft(adBreak.beginsMs - nowMs)}`
            : `Ad break: ${timeLeft(adBreak.endsMs - nowMs)} left, until ${utcTime(adBreak.endsMs)} UTC`}
        </p>
      )}
      {error !== null && (
        <Alert color="red" role="alert">
          {commandProblemText(error)}
        </Alert>
      )}
      <div className={classes['commands']}>
        {canEnd ? (
          <Button
            size="sm"
            color="red.9"
            aria-label={`End the ad break now, ${name}`}
            loading={end.isPending}
            onClick={() => end.mutate(undefined, { onSuccess: () => insert.reset() })}
          >
            End the ad break now
          </Button>
        ) : (
          <>
            <NumberInput
              className={classes['seconds']}
              size="sm"
              label="Ad break, seconds"
              min={1}
              max={MAXIMUM_SECONDS}
              allowDecimal={false}
              value={seconds}
              onChange={(value) => setSeconds(Number(value))}
            />
            <Button
              size="sm"
              variant="default"
              aria-label={`Begin ad break, ${name}`}
              loading={insert.isPending}
              disabled={!(seconds >= 1 && seconds <= MAXIMUM_SECONDS)}
              onClick={() => insert.mutate(undefined, { onSuccess: () => end.reset() })}
            >
              Begin ad break
            </Button>
          </>
        )}
      </div>
    </>
  )
}
