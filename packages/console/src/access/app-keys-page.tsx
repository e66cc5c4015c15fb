import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { FormDialog } from '../shared/form-dialog.tsx'
import { PAGE_SIZE, useMarkPages } from '../shared/mark-pages.ts'
import { ReadState } from '../shared/page-state.tsx'
import { Pager } from '../shared/pager.tsx'
import { keys } from '../shared/query-keys.ts'
import { useServerNow } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import tables from '../shared/table.module.css'
import { utcMoment } from '../shared/times.ts'
import type { AppKey } from '../shared/wire-types.ts'
import classes from './access.module.css'
import { SecretDialog } from './secret-dialog.tsx'

export function AppKeysPage() {
  const client = useClient()
  const nowMs = useServerNow()
  const [isCreating, setIsCreating] = useState(false)
  const [revoked, setRevoked] = useState<AppKey>()
  const [secret, setSecret] = useState<{ name: string; key: string }>()
  const { data, error, pager } = useMarkPages<AppKey>(keys.appKeys, (page_offset, signal) =>
    client.listAppKeys({ query: { page_size: PAGE_SIZE, page_offset } }, { signal }),
  )
  if (data === undefined) return <ReadState error={error} />
  return (
    <>
      <div className={classes['head']}>
        <p>Keys that apps register their devices with. A key shows what viewers may see, and nothing else.</p>
        <Button onClick={() => setIsCreating(true)}>Make an app key</Button>
      </div>
      {data.hits.length === 0 ? (
        <p className={classes['empty']}>This account has no app keys yet.</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
          <section className={tables['scroll']} tabIndex={0} aria-label="Table of app keys">
            <table className={tables['table']}>
              <thead>
                <tr>
                  <th scope="col">App</th>
                  <th scope="col">Status</th>
                  <th scope="col">Made</th>
                  <th scope="col">Last device registered</th>
                  <th scope="col">Actions</th>
                </tr>
              </thead>
              <tbody>
                {data.hits.map((key) => (
                  <tr key={key.app_key_id}>
                    <th scope="row" data-kind="text">
                      {key.app_name}
                    </th>
                    <td>
                      {key.status === 'ACTIVE' ? (
                        <StatusBadge text="Active" tone="good" />
                      ) : (
                        <StatusBadge text="Revoked" tone="quiet" />
                      )}
                    </td>
                    <td className={classes['nowrap']}>{utcMoment(Date.parse(key.created_date), nowMs)}</td>
                    <td className={classes['nowrap']}>
                      {key.last_used === null ? 'Never' : utcMoment(Date.parse(key.last_used), nowMs)}
                    </td>
                    <td>
                      {key.status === 'ACTIVE' && (
                        <Button
                          size="compact-xs"
                          variant="default"
                          aria-label={`Revoke the key of ${key.app_name}`}
                          onClick={() => setRevoked(key)}
                        >
                          Revoke
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          <Pager label="Pages of app keys" {...pager} />
        </>
      )}
      {isCreating && (
        <CreateAppKey
          onClose={() => setIsCreating(false)}
          onCreated={(name, key) => {
            setIsCreating(false)
            setSecret({ name, key })
          }}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title={`Key of ${secret.name}`}
          label="App key"
          value={secret.key}
          text="Put this key into the app."
          onClose={() => setSecret(undefined)}
        />
      )}
      {revoked !== undefined && <RevokeAppKey appKey={revoked} onClose={() => setRevoked(undefined)} />}
    </>
  )
}

interface CreateAppKeyProps {
  readonly onClose: () => void
  readonly onCreated: (name: string, key: string) => void
}

function CreateAppKey({ onClose, onCreated }: CreateAppKeyProps) {
  const client = useClient()
  const queries = useQueryClient()
  const key = useRef(crypto.randomUUID())
  const [name, setName] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      client.createAppKey({ body: { app_name: name.trim() } }, { idempotencyKey: key.current }),
    onSuccess: ({ app_name, sdk_key }) => {
      void queries.invalidateQueries({ queryKey: keys.appKeys })
      onCreated(app_name, sdk_key)
    },
    onError: () => {
      key.current = crypto.randomUUID()
    },
  })
  return (
    <FormDialog
      title="Make an app key"
      submit="Make the key"
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      reason={name.trim() === '' ? 'A name is needed.' : undefined}
    >
      <TextInput
        label="Name of the app"
        description="Several keys may have the same name: make the new one, ship it, then revoke the old one."
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  )
}

function RevokeAppKey({ appKey, onClose }: { appKey: AppKey; onClose: () => void }) {
  const client = useClient()
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => client.revokeAppKey({ params: { app_key_id: appKey.app_key_id } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keys.appKeys })
      onClose()
    },
  })
  return (
    <FormDialog
      title={`Revoke the key of ${appKey.app_name}`}
      submit="Revoke the key"
      onSubmit={mutate}
      onClose={onClose}
      isSending={isPending}
      error={error}
      isDangerous
    >
      <p>Every app with this key stops working within a second. A revoked key cannot be used again.</p>
    </FormDialog>
  )
}
