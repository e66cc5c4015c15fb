const base = document.querySelector<HTMLMetaElement>('meta[name="playout-base-url"]')?.content ?? ''

/** The output that every channel has. */
const DISTRIBUTOR = 'direct'

/** A file of a channel at the playout nodes: `index.m3u8`, `now.jpg`. */
export const outputAddress = (channelId: string, file: string, distributor = DISTRIBUTOR): string =>
  `${base}channels/${encodeURIComponent(channelId)}/${encodeURIComponent(distributor)}/${file}`
