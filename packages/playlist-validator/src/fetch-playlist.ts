/** What a request for a playlist brought, or why it brought none. */
export type Answer =
  | {
      readonly kind: 'text'
      readonly text: string
      /** Where redirects ended: relative URIs are relative to it. */
      readonly url: string
      /** What is wrong with the answer around the text, by rule. */
      readonly encodingFault: string | undefined
      readonly identityFault: string | undefined
    }
  | { readonly kind: 'fault'; readonly fault: string; readonly isStopped: boolean }

export const TIMEOUT_MS = 10_000
const MAX_BYTES = 8 * 2 ** 20

/** Loads a playlist; every failure is an answer. */
export async function fetchPlaylist(url: string, stop: AbortSignal): Promise<Answer> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([stop, timeout]),
      headers: {
        accept: 'application/vnd.apple.mpegurl, audio/mpegurl, */*;q=0.5',
        'user-agent': 'playlist-validator',
      },
    })
    if (!response.ok) {
      await response.body?.cancel()
      return failed(`HTTP ${response.status} ${response.statusText}`.trim())
    }
    const bytes = await readAll(response)
    if (bytes === undefined) return failed(`more than ${MAX_BYTES / 2 ** 20} MB; reading stopped`)
    const { text, fault } = decode(bytes)
    return {
      kind: 'text',
      text,
      url: response.url,
      encodingFault: fault,
      identityFault: identityFault(response.url, response.headers.get('content-type')),
    }
  } catch (error) {
    if (stop.aborted) return { kind: 'fault', fault: 'stopped before there was an answer', isStopped: true }
    return failed(timeout.aborted ? `no whole answer within ${TIMEOUT_MS / 1_000} s` : reasonOf(error))
  }
}

const failed = (fault: string): Answer => ({ kind: 'fault', fault, isStopped: false })

/** Undefined if there is more than a playlist has. */
async function readAll({ body }: Response): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    // Leaving the loop cancels the rest.
    if (length > MAX_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** RFC 8216 §4.1. The text is decoded as players do, so that the rest can be checked. */
function decode(bytes: Uint8Array): { readonly text: string; readonly fault: string | undefined } {
  const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const hasMark = whole.startsWith('\uFEFF')
  const text = hasMark ? whole.slice(1) : whole
  if (hasMark) return { text, fault: 'it begins with a byte order mark' }
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).equals(Buffer.from(whole))) {
    return { text, fault: 'it is not UTF-8' }
  }
  const control = [...text].find((sign) => /\p{Cc}/u.test(sign) && sign !== '\n' && sign !== '\r')
  if (control === undefined) return { text, fault: undefined }
  return {
    text,
    fault: `it has the control character U+${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  }
}

function identityFault(url: string, type: string | null): string | undefined {
  const [essence = ''] = (type ?? '').split(';')
  if (/\.m3u8?$/i.test(new URL(url).pathname)) return undefined
  if (/^(?:application\/vnd\.apple\.mpegurl|audio\/mpegurl)$/i.test(essence.trim())) return undefined
  const there = type === null ? 'no Content-Type' : `Content-Type ${type}`
  return `${there}, and the path ends in neither .m3u8 nor .m3u`
}

/** Node's fetch has the reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message === '' && 'code' in cause ? String(cause.code) : cause.message
}
