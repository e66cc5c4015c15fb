import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChannels } from '../on-air/channel-queries.ts'
import { rolesFor, useMayCall } from '../session/may-call.ts'
import { useClient } from '../session/session-context.tsx'
import { CopyField } from '../shared/copy-field.tsx'
import { ReadState } from '../shared/page-state.tsx'
import { outputAddress } from '../shared/playout-address.ts'
import { keys } from '../shared/query-keys.ts'
import { navigate, useAddress } from '../shared/router.tsx'
import type { Channel, Output } from '../shared/wire-types.ts'
import classes from './access.module.css'
import { DeleteOutput, OutputForm } from './output-dialogs.tsx'
import { outputTexts } from './output-words.ts'

/** The output that every channel has; it stays as long as the channel. */
const DIRECT = 'direct'

export function OutputsPage() {
  const { query } = useAddress()
  const { data: channels, error } = useChannels()
  if (channels === undefined) return <ReadState error={error} />
  const channel =
    channels.find(({ linear_channel_id }) => linear_channel_id === query.get('channel')) ?? channels[0]
  if (channel === undefined) {
    return <p className={classes['empty']}>This account has no channels yet, and so no outputs.</p>
  }
  return (
    <>
      <div className={classes['filters']}>
        <NativeSelect
          label="Channel"
          data={channels.map(({ linear_channel_id, title }) => ({ value: linear_channel_id, label: title }))}
          value={channel.linear_channel_id}
          onChange={(event) =>
            navigate(`/access/outputs?channel=${encodeURIComponent(event.currentTarget.value)}`)
          }
        />
      </div>
      <ChannelOutputs key={channel.linear_channel_id} channel={channel} />
    </>
  )
}

type OpenDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'change' | 'delete'; readonly output: Output }

function ChannelOutputs({ channel }: { channel: Channel }) {
  const client = useClient()
  const mayChange = useMayCall()('createOutput')
  const [dialog, setDialog] = useState<OpenDialog>()
  const { linear_channel_id, title } = channel
  const { data, error } = useQuery({
    queryKey: keys.outputs(linear_channel_id),
    staleTime: 0,
    queryFn: ({ signal }) => client.listOutputs({ params: { linear_channel_id } }, { signal }),
  })
  const close = () => setDialog(undefined)
  if (data === undefined) return <ReadState error={error} />
  return (
    <>
      <div className={classes['head']}>
        <p>
          What distributors pull of {title}.{' '}
          {!mayChange && `To change it, you need ${rolesFor('createOutput')}.`}
        </p>
        {mayChange && <Button onClick={() => setDialog({ kind: 'create' })}>Add an output</Button>}
      </div>
      <ul className={classes['cards']} aria-label={`Outputs of ${title}`}>
        {data.map((output) => (
          <li key={output.distributor} className={classes['card']}>
            <div className={classes['head']}>
              <h2>{output.distributor}</h2>
              {mayChange && (
                <div className={classes['commands']}>
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Change ${output.distributor}`}
                    onClick={() => setDialog({ kind: 'change', output })}
                  >
                    Change
                  </Button>
                  {output.distributor !== DIRECT && (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={`Delete ${output.distributor}`}
                      onClick={() => setDialog({ kind: 'delete', output })}
                    >
                      Delete
                    </Button>
                  )}
                </div>
              )}
            </div>
            <CopyField
              label="Stream"
              value={outputAddress(linear_channel_id, 'index.m3u8', output.distributor)}
            />
            <CopyField
              label="Guide"
              value={outputAddress(linear_channel_id, 'epg.xml', output.distributor)}
            />
            <ul aria-label={`What ${output.distributor} gets`}>
              {outputTexts(output).map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {dialog?.kind === 'create' && <OutputForm channel={channel} onClose={close} />}
      {dialog?.kind === 'change' && <OutputForm channel={channel} output={dialog.output} onClose={close} />}
      {dialog?.kind === 'delete' && <DeleteOutput channel={channel} output={dialog.output} onClose={close} />}
    </>
  )
}
