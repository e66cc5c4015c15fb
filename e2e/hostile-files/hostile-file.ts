import type { IncomingMessage, ServerResponse } from 'node:http'

/** Something that a stranger hands over as a video. */
export interface HostileFile {
  /** As it stands in its address; an extension may lie. */
  readonly name: string
  readonly kind: HostileKind
  /** The bytes of it, or a server that behaves badly in its place. */
  readonly body: Buffer | Serve
  /** What the reason's code may be. */
  readonly codes: readonly string[]
}

export type HostileKind =
  | 'playlist'
  | 'script'
  | 'manifest'
  | 'list of links'
  | 'document'
  | 'subtitles'
  | 'no media'
  | 'name'
  | 'damaged'
  | 'no moving picture'
  | 'large picture'
  | 'long'
  | 'server'

export type Serve = (request: IncomingMessage, response: ServerResponse) => void

/** Where nobody may get to, as the lists and scripts name it. */
export interface Bait {
  /** A pipe whose readers are noticed. */
  readonly pipe: string
  /** A video on our disk: whoever follows a list to it has something to show. */
  readonly video: string
  /** A playlist on our disk that names the pipe. */
  readonly playlist: string
  /** Servers: one that the guard knows nothing of, and one at another port of the host that it allows. */
  readonly strangers: readonly [string, string]
}

/** Texts by their names. */
export const texts = (
  kind: HostileKind,
  named: Readonly<Record<string, string>>,
  codes: readonly string[] = ['media.unreadable'],
): HostileFile[] =>
  Object.entries(named).map(([name, text]) => ({ name, kind, body: Buffer.from(text), codes }))
