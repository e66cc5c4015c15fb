import type { IncomingMessage, ServerResponse } from 'node:http'

/** A file that a malicious partner submits as a video. */
export interface HostileFile {
  /** The name in its address; the extension may be wrong. */
  readonly name: string
  readonly kind: HostileKind
  /** Its bytes, or a server that misbehaves. */
  readonly body: Buffer | Serve
  /** The allowed error codes. */
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

/** Forbidden targets that lists and scripts name. */
export interface Bait {
  /** A pipe whose readers are counted. */
  readonly pipe: string
  /** A video on our disk: a file that leads to it can be played. */
  readonly video: string
  /** A playlist on our disk that names the pipe. */
  readonly playlist: string
  /** Servers: one that is not allowed, and one at another port of the allowed host. */
  readonly forbiddenHosts: readonly [string, string]
}

/** Text files by name. */
export const texts = (
  kind: HostileKind,
  named: Readonly<Record<string, string>>,
  codes: readonly string[] = ['media.unreadable'],
): HostileFile[] =>
  Object.entries(named).map(([name, text]) => ({ name, kind, body: Buffer.from(text), codes }))
