import { etagOf, isProblem } from '@continuity/client'
import { Alert, Button, Group, SegmentedControl, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useChannels } from '../on-air/channel-queries.ts'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { FormDialog } from '../shared/form-dialog.tsx'
import { PageState } from '../shared/page-state.tsx'
import { keys } from '../shared/query-keys.ts'
import { Link } from '../shared/router.tsx'
import { serverNowMs } from '../shared/server-time.ts'
import { LOCAL_ZONE, utcMoment } from '../shared/times.ts'
import type { Channel } from '../shared/wire-types.ts'
import { usePlan } from './plan-query.ts'
import { FaultContext, faultPlace, faultText, findFaults } from './rules-faults.tsx'
import { RulesForm } from './rules-form.tsx'
import classes from './rules-page.module.css'
import { RulesPreview } from './rules-preview.tsx'
import type { Plan, Rules } from './rules-types.ts'

/** The rules by which a channel plans its own programs. */
export function RulesPage({ channelId }: { channelId: string }) {
  const { data: channels, error: channelsError } = useChannels()
  const { data: plan, error } = usePlan(channelId)
  const channel = channels?.find(({ linear_channel_id }) => linear_channel_id === channelId)
  if (channels !== undefined && channel === undefined) {
    return (
      <>
        <h1>There is no such channel</h1>
        <Link to="/schedule">The schedules of all channels</Link>
      </>
    )
  }
  if (channel === undefined || plan === undefined) {
    return <PageState title="Rules" error={channelsError ?? error} />
  }
  return <RulesEditor key={channelId} channel={channel} plan={plan} />
}

const emptyRules = (): Rules => ({ time_zone: LOCAL_ZONE, blocks: [] })

function RulesEditor({ channel, plan }: { channel: Channel; plan: Plan | null }) {
  const mayCall = useMayCall()
  const mayChange = mayCall('putPlan')
  // What the user has seen: rules of another user must not be overwritten unseen.
  const [base, setBase] = useState(plan)
  const [draft, setDraft] = useState<Rules>(() => plan?.rules ?? emptyRules())
  const [tab, setTab] = useState('Form')
  const [text, setText] = useState('')
  const [confirming, setConfirming] = useState<'save' | 'remove'>()
  const { save, remove } = usePlanChanges(channel.linear_channel_id, base)
  const isChanged = !isSame(draft, base?.rules ?? emptyRules())
  const isStale = !isSame(plan?.rules, base?.rules)
  const faults = findFaults(draft, save.error)
  const isNotJson = tab === 'JSON' && parse(text) === undefined

  const change = (rules: Rules) => {
    setDraft(rules)
    if (save.error !== null) save.reset()
  }
  const reset = (to: Plan | null) => {
    setBase(to)
    change(to?.rules ?? emptyRules())
    setText(JSON.stringify(to?.rules ?? emptyRules(), null, 2))
  }
  return (
    <>
      <p className={classes['back']}>
        <Link to="/schedule">Schedule</Link>
      </p>
      <div className={classes['tools']}>
        <h1>Rules of {channel.title}</h1>
        <SegmentedControl
          aria-label="How to show the rules"
          data={['Form', 'JSON']}
          value={tab}
          onChange={(next) => {
            setText(JSON.stringify(draft, null, 2))
            setTab(next)
          }}
        />
        {mayChange && (
          <Group gap="xs">
            <Button
              disabled={!isChanged || faults.length > 0 || isNotJson}
              onClick={() => setConfirming('save')}
            >
              Save the rules
            </Button>
            <Button variant="default" disabled={!isChanged} onClick={() => reset(plan)}>
              Discard changes
            </Button>
            {base !== null && (
              <Button variant="default" onClick={() => setConfirming('remove')}>
                Remove the rules
              </Button>
            )}
          </Group>
        )}
      </div>
      <PlanState plan={plan} isChanged={isChanged} />
      {!mayChange && (
        <p className={classes['hint']}>
          Your roles allow no changes of rules: that needs {rolesFor('putPlan')}.
        </p>
      )}
      {isStale && !save.isPending && (
        <Alert color="yellow" title="Another user has changed these rules" className={classes['notice']}>
          What you see are the rules from before, with your changes.{' '}
          <Button size="compact-sm" variant="default" onClick={() => reset(plan)}>
            Show the rules of the other user
          </Button>
        </Alert>
      )}
      {faults.length > 0 && (
        <Alert
          color="red"
          role="alert"
          title={faults.length === 1 ? 'One problem' : `${faults.length} problems`}
          className={classes['notice']}
        >
          <ul className={classes['faults']}>
            {faults.slice(0, 8).map((fault) => (
              <li key={`${fault.pointer} ${fault.message}`}>
                {faultPlace(fault.pointer, draft)}: {faultText(fault)}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <FaultContext value={faults}>
        <div className={classes['columns']} data-alone={mayChange ? undefined : true}>
          <fieldset className={classes['bare']} disabled={!mayChange}>
            {tab === 'Form' ? (
              <RulesForm value={draft} onChange={change} />
            ) : (
              <Textarea
                label="The rules as a document"
                description="As PUT /linear_channels/{id}/plan takes them. See the reference of the API."
                rows={28}
                classNames={{ input: classes['json']! }}
                value={text}
                error={isNotJson ? 'This is not valid JSON.' : undefined}
                onChange={({ currentTarget }) => {
                  setText(currentTarget.value)
                  const rules = parse(currentTarget.value)
                  if (rules !== undefined) change(rules)
                }}
              />
            )}
          </fieldset>
          {mayCall('previewPlan') && (
            <RulesPreview
              channelId={channel.linear_channel_id}
              rules={faults.length === 0 ? draft : undefined}
              faults={faults.length}
            />
          )}
        </div>
      </FaultContext>
      {confirming !== undefined && (
        <Confirm
          kind={confirming}
          channel={channel}
          isPending={save.isPending || remove.isPending}
          error={confirming === 'save' ? save.error : remove.error}
          onClose={() => setConfirming(undefined)}
          onConfirm={() => {
            const done = (to: Plan | null) => {
              reset(to)
              setConfirming(undefined)
            }
            if (confirming === 'save') {
              save.mutate(draft, {
                onSuccess: done,
                // What is wrong is shown at its field.
                onError: (error) => isProblem(error, 'plan.invalid') && setConfirming(undefined),
              })
            } else remove.mutate(undefined, { onSuccess: () => done(null) })
          }}
        />
      )}
    </>
  )
}

const WARNINGS_SHOWN = 20

function PlanState({ plan, isChanged }: { plan: Plan | null; isChanged: boolean }) {
  const nowMs = serverNowMs()
  const words =
    plan === null
      ? 'This channel has no rules: it shows what partners and operators schedule.'
      : plan.is_planning || plan.planned_until === null
        ? 'Programs are being planned…'
        : `Programs are planned until ${utcMoment(Date.parse(plan.planned_until), nowMs)}.`
  const warnings = plan?.warnings ?? []
  return (
    <>
      <p className={classes['hint']} role="status">
        {words}
        {isChanged && ' Your changes are not saved.'}
      </p>
      {warnings.length > 0 && (
        <details className={classes['hint']}>
          <summary>
            {warnings.length} {warnings.length === 1 ? 'warning' : 'warnings'} in the last plan
          </summary>
          <ul className={classes['faults']}>
            {warnings.slice(0, WARNINGS_SHOWN).map(({ at, rule, message }) => (
              <li key={`${at} ${rule} ${message}`}>
                {utcMoment(Date.parse(at), nowMs)}, {rule}: {message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

interface ConfirmProps {
  readonly kind: 'save' | 'remove'
  readonly channel: Channel
  readonly isPending: boolean
  readonly error: Error | null
  readonly onClose: () => void
  readonly onConfirm: () => void
}

function Confirm({ kind, channel, isPending, error, onClose, onConfirm }: ConfirmProps) {
  const title = kind === 'save' ? 'Save the rules' : 'Remove the rules'
  return (
    <FormDialog
      title={title}
      submit={title}
      onSubmit={onConfirm}
      onClose={onClose}
      isSending={isPending}
      error={isProblem(error, 'plan.invalid') ? null : error}
      isDangerous={kind === 'remove'}
    >
      <p>
        {kind === 'save'
          ? `The programs of ${channel.title} are planned again from now on, within seconds. What is committed stays, and so do one-off programs and those of partners; positions in series are kept.`
          : `All that the rules planned for ${channel.title} and that is not committed is removed; its time is filled. One-off programs and those of partners stay.`}
      </p>
    </FormDialog>
  )
}

/** Sends the rules, or removes them, unless they are others than the user has seen. */
function usePlanChanges(channelId: string, base: Plan | null) {
  const client = useClient()
  const queries = useQueryClient()
  const params = { linear_channel_id: channelId }
  const ifMatch = base === null ? undefined : etagOf(base)
  const sent = useRef({ text: '', key: '' })
  const store = async (plan: Plan | null) => {
    // An answer from before must not replace it.
    await queries.cancelQueries({ queryKey: keys.plan(channelId), exact: true })
    queries.setQueryData(keys.plan(channelId), plan)
  }
  const onSuccess = () => void queries.invalidateQueries({ queryKey: keys.programs(channelId) })
  const save = useMutation({
    mutationFn: async (rules: Rules) => {
      const text = JSON.stringify(rules)
      if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() }
      const plan = await client.putPlan(
        { params, body: rules },
        { ifMatch, idempotencyKey: sent.current.key },
      )
      await store(plan)
      return plan
    },
    onSuccess,
    onError: (error) => {
      if (isProblem(error, 'record.changed'))
        void queries.invalidateQueries({ queryKey: keys.plan(channelId) })
    },
  })
  const remove = useMutation({
    mutationFn: async () => {
      await client.deletePlan({ params }, { ifMatch })
      await store(null)
    },
    onSuccess,
  })
  return { save, remove }
}

/** The service returns the fields of an object in another sequence than they were sent in. */
const isSame = (one: unknown, other: unknown): boolean => print(one) === print(other)

const print = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )

function parse(text: string): Rules | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Rules) : undefined
  } catch {
    return undefined
  }
}
