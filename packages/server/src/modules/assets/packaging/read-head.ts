import { open } from 'node:fs/promises'

/** The first packets or tables of a file show what it is. */
const HEAD_BYTES = 4_096

/** The first bytes of a file. */
export async function readHead(file: string): Promise<Uint8Array> {
  await using opened = await open(file)
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}
