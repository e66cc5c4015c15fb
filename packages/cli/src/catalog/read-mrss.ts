import { createMrssParser, MrssFault } from './mrss-parser.ts'
import { videoOf } from './mrss-video.ts'
import type { SourceItem } from './source-item.ts'

/**
 * The videos of an MRSS file. Nothing can be read after a parse error, so the
 * error is the last item, as a fault.
 */
export async function* readMrss(
  chunks: AsyncIterable<Uint8Array>,
  sourceId: string,
): AsyncGenerator<SourceItem, void, undefined> {
  const parser = createMrssParser()
  let decode: ((chunk?: Uint8Array) => string) | undefined
  let position = 0
  let bytesRead = 0

  function* itemsIn(text: string): Generator<SourceItem, void, undefined> {
    // With an empty chunk, push throws the error that follows the last good item.
    for (let items = parser.push(text); items.length > 0; items = parser.push('')) {
      for (const item of items) {
        position += 1
        // A new video is published; an existing one keeps the status that an editor has set.
        const status = { initially: { status: 'READY' } } as const
        yield {
          position,
          where: `item ${position}, line ${item.line}`,
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
    const fault = `the rest of the file cannot be read: ${error.message}`
    yield { position: position + 1, where: `after item ${position}`, bytesRead, fault }
  }
}

/** Decodes chunks that are cut anywhere; called without one at the end. */
function decoderOf(head: Uint8Array): (chunk?: Uint8Array) => string {
  const encoding = encodingOf(head)
  const decoder = orFault(
    `its encoding "${encoding}" is unknown`,
    () => new TextDecoder(encoding, { fatal: true }),
  )
  return (chunk) =>
    orFault(`it is not valid ${encoding}`, () =>
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

/** From the byte order mark, else from the XML declaration, else UTF-8 (XML 1.0, appendix F). */
function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const declaration = Buffer.from(head.subarray(0, 256)).toString('latin1')
  return /^(?:ï»¿)?<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(declaration)?.[1] ?? 'utf-8'
}
