import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readListed, readVariants } from './read-playlists.ts'

/** Downloads the playlists and segments of a main.m3u8 into a folder. */
export async function fetchPackage(address: string, folder: string): Promise<void> {
  const fetchInto = async (uri: string): Promise<string> => {
    const answer = await fetch(new URL(uri, address), { signal: AbortSignal.timeout(20_000) })
    if (!answer.ok) throw new Error(`${answer.url} answers ${answer.status}`)
    const bytes = Buffer.from(await answer.arrayBuffer())
    await mkdir(dirname(join(folder, uri)), { recursive: true })
    await writeFile(join(folder, uri), bytes)
    return bytes.toString()
  }
  const main = await fetch(address, { signal: AbortSignal.timeout(20_000) }).then((answer) => answer.text())
  await writeFile(join(folder, 'main.m3u8'), main)
  for (const { uri } of readVariants(main)) {
    for (const segment of readListed(await fetchInto(uri))) await fetchInto(join(dirname(uri), segment.uri))
  }
}
