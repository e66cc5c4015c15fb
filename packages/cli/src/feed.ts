import { type Command, ownerCommand } from './terminal/command.ts'

const newEpoch = ownerCommand({
  name: 'feed new-epoch',
  about: 'After a restore of the database: begin a new epoch of the feed, which playout nodes accept',
  options: {},
  act: async (actions) => {
    const { epoch, before } = await actions.beginFeedEpoch()
    const text = `The feed is in epoch ${epoch} (before: ${before}). Workers publish every channel in it, and playout nodes follow.`
    return { text, json: { epoch, before } }
  },
})

export const feedCommands: readonly Command[] = [newEpoch]
