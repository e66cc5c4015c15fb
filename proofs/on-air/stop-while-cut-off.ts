import type { Link } from '@continuity/dev/a-link'
import { pollUntil } from '@continuity/dev/waiting'
import { createChannel, PATIENCE_MS, putOnAir, stopChannel } from './channels.ts'
import { findRungs } from './fetch-from-both.ts'
import { addressOf, fetchAnswer } from './fetch-playlist.ts'
import type { OnAirSystem } from './on-air-system.ts'
import { directOf, segmentsIn } from './output-watch.ts'

/** Stops a channel while the second node is cut off from the feed, until that node has listed too much. */
export async function stopWhileCutOff(system: OnAirSystem, link: Link): Promise<void> {
  const output = directOf(await createChannel(system, { title: 'Stopped' }))
  await putOnAir(system, output)
  const [rung] = await findRungs(system.nodes, output)
  const [first, second] = system.nodes.map(({ url }) => addressOf(url(), output, `${rung}.m3u8`))
  await link.goDown()
  await stopChannel(system, output.channelId)
  await until('the channel ends', async () => isEnded(await textOf(first!)))
  const last = lastIn(await textOf(first!))
  await until('a node lists too much', async () => lastIn(await textOf(second!)) > last)
  await link.restore()
  await until('it receives the end', async () => isEnded(await textOf(second!)))
}

const textOf = async (address: string): Promise<string> => (await fetchAnswer(address)).text

const isEnded = (text: string): boolean => text.endsWith('#EXT-X-ENDLIST\n')

const lastIn = (text: string): number => segmentsIn(text).at(-1)?.sequence ?? -1

async function until(goal: string, isSo: () => Promise<boolean>): Promise<void> {
  const check = async () => (await isSo()) || undefined
  if (!(await pollUntil(check, PATIENCE_MS))) throw new Error(`timed out: ${goal}`)
}
