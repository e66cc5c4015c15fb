import { readFile } from 'node:fs/promises'

/** What we read of the decoder's results. */
export interface OtherDecoder {
  parseFromB64(text: string): DecodedSection
  parseFromHex(text: string): DecodedSection
}

export interface DecodedSection {
  readonly sectionLength: number
  readonly crc: number
  readonly spliceCommand?: object
}

export interface DecodedInsert {
  readonly spliceEventId: number
  readonly outOfNetworkIndicator?: boolean
  readonly breakDuration?: { readonly autoReturn: boolean; readonly duration: number }
}

/**
 * The decoder of the package `scte35`, an independent implementation.
 *
 * The installed release cannot be imported as it is, because it leaves out the extension of a file that it imports; and
 * it reads the time of a splice_insert from the start of the section instead of the command, which later releases fix
 * in the same way. Both are patched before it is loaded.
 */
export async function openOtherDecoder(): Promise<OtherDecoder> {
  const folder = new URL('../../../node_modules/scte35/build/lib/', import.meta.url)
  const source = await readFile(new URL('scte35.js', folder), 'utf8')
  const patched = patch(
    patch(source, '"./descriptors"', `"${new URL('descriptors.js', folder).href}"`),
    'new DataView(view.buffer, offset, 5)',
    'new DataView(view.buffer, view.byteOffset + offset, 5)',
  )
  const loaded: { readonly SCTE35: OtherDecoder } = await import(
    `data:text/javascript,${encodeURIComponent(patched)}`
  )
  return loaded.SCTE35
}

function patch(source: string, fault: string, instead: string): string {
  if (!source.includes(fault)) throw new Error(`This release of scte35 does not contain ${fault}`)
  return source.replace(fault, instead)
}
