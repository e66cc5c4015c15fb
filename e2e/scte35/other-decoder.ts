import { readFile } from 'node:fs/promises'
import type { ISCTE35 } from 'scte35/build/lib/scte35.js'

/**
 * The decoder of the package `scte35`, which others wrote: what it reads from our bytes is not only our own opinion.
 *
 * The release that we have cannot be imported as it is, because it leaves out the ending of a file that it imports;
 * and it looks for the time of a splice_insert at the beginning of the section instead of the command, which its
 * later releases mend in the same way. Both are put right before it is loaded.
 */
export async function openOtherDecoder(): Promise<ISCTE35> {
  const folder = new URL('../../node_modules/scte35/build/lib/', import.meta.url)
  const source = await readFile(new URL('scte35.js', folder), 'utf8')
  const mended = mend(
    mend(source, '"./descriptors"', `"${new URL('descriptors.js', folder).href}"`),
    'new DataView(view.buffer, offset, 5)',
    'new DataView(view.buffer, view.byteOffset + offset, 5)',
  )
  const loaded: { readonly SCTE35: ISCTE35 } = await import(
    `data:text/javascript,${encodeURIComponent(mended)}`
  )
  return loaded.SCTE35
}

function mend(source: string, fault: string, instead: string): string {
  if (!source.includes(fault)) throw new Error(`This release of scte35 has no longer ${fault}`)
  return source.replace(fault, instead)
}
