import { type Command, ownerCommand } from './command.ts'

const newEpoch = ownerCommand({
  name: 'feed new-epoch',
  about: 'After a restore of the database: let playout nodes follow it',
  options: {},
  act: async (actions) => {
    const { epoch, before } = await actions.beginFeedEpoch()
    const text = `The feed is in epoch ${epoch} (before: ${before}). Workers publish every channel in it, and nodes follow.`
    return { text, json: { epoch, before } }
  },
})

export const feedCommands: readonly Command[] = [newEpoch]
