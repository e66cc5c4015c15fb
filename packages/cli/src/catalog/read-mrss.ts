import { createMrssParser, MrssFault } from './mrss-parser.ts'
import { videoOf } from './mrss-video.ts'
import type { SourceItem } from './source-item.ts'

/**
 * The videos of an MRSS file. Behind a place where it is no XML nothing can be
 * read, so that place is given as the last item, as a fault.
 */
export async function* readMrss(
  chunks: AsyncIterable<Uint8Array>,
  sourceId: string,
): AsyncGenerator<SourceItem, void, undefined> {
  const parser = createMrssParser()
  let decode: ((chunk?: Uint8Array) => string) | undefined
  let place = 0
  let bytesRead = 0

  function* itemsIn(text: string): Generator<SourceItem, void, undefined> {
    // Asked again with nothing: what stands behind the last good item is told after it.
    for (let items = parser.push(text); items.length > 0; items = parser.push('')) {
      for (const item of items) {
        place += 1
        // A file that lists a video means it to be seen; what an editor has done since is left alone.
        const status = { initially: { status: 'READY' } } as const
        yield {
          place,
          where: `item ${place}, line ${item.line}`,
          bytesRead,
          ...videoOf(item, sourceId),
          ...status,
        }
      }
    }
  }

  try {
    for await (const chunk of chunks) {
      decode ??= decoderOf(chunk)
      bytesRead += chunk.length
      yield* itemsIn(decode(chunk))
    }
    yield* itemsIn(decode?.() ?? '')
    parser.end()
  } catch (error) {
    if (!(error instanceof MrssFault)) throw error
    const fault = `the file cannot be read further: ${error.message}`
    yield { place: place + 1, where: `after item ${place}`, bytesRead, fault }
  }
}

/** Text of bytes that are cut anywhere; called with nothing at the end. */
function decoderOf(head: Uint8Array): (chunk?: Uint8Array) => string {
  const encoding = encodingOf(head)
  const decoder = orFault(
    `its encoding "${encoding}" is not known`,
    () => new TextDecoder(encoding, { fatal: true }),
  )
  return (chunk) =>
    orFault(`it is not in ${encoding}`, () =>
      chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true }),
    )
}

function orFault<T>(fault: string, decode: () => T): T {
  try {
    return decode()
  } catch (cause) {
    throw new MrssFault(fault, { cause })
  }
}

/** By the byte order mark, else as the declaration says, else UTF-8 (XML 1.0, appendix F). */
function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const declaration = Buffer.from(head.subarray(0, 256)).toString('latin1')
  return /^(?:ï»¿)?<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? 'utf-8'
}
