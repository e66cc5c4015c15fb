const baseOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

const base = baseOf('playout-base-url')

/** The output that every channel has. */
const DISTRIBUTOR = 'direct'

/** A file of a channel at the playout nodes: `index.m3u8`, `now.jpg`. */
export const outputAddress = (channelId: string, file: string, distributor = DISTRIBUTOR): string =>
  `${base}channels/${encodeURIComponent(channelId)}/${encodeURIComponent(distributor)}/${file}`

const origins = new Set(
  [location.origin, base, baseOf('media-base-url')]
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address).origin),
)

/** Whether the content security policy of this page allows pictures and media from there. */
export const mayLoad = (address: string): boolean =>
  URL.canParse(address) && origins.has(new URL(address).origin)
