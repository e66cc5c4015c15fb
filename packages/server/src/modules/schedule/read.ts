export { listAiredChannels } from './aired-channels.ts'
export { type AiredDeps, airedEntries } from './aired-entries.ts'
