import { setTimeout } from 'node:timers/promises'
import { validateXmltv } from '@continuity/dev/validate-xmltv'
import { pollUntil } from '@continuity/dev/waiting'
import { parseXmltv } from '@iptv/xmltv'
import { PATIENCE_MS } from './channels.ts'
import { addressOf, fetchAnswer } from './fetch-playlist.ts'
import type { OnAirSystem } from './on-air-system.ts'
import { directOf } from './output-watch.ts'
import { bodyOf, type ProgramPlan } from './programs.ts'

const AHEAD_MS = 10 * 86_400_000

/**
 * Schedules a program ten days ahead, waits until both nodes list it in both forms of the guide, and then the same for a
 * program that replaces it. The guides are valid by the DTD.
 */
export async function checkFarGuide(system: OnAirSystem) {
  const startMs = Math.ceil((system.nowMs() + AHEAD_MS) / 60_000) * 60_000
  const plan: ProgramPlan = {
    channelId: system.channelId,
    startMs,
    durationMs: 60_000,
    items: [{ clip: 0 }],
  }
  let seen = 0
  for (const title of ['Ten days ahead', 'In its place']) {
    await system.submit({ ...bodyOf(system, plan), program_title: title })
    await pollUntil(async () => {
      await setTimeout(500)
      return (await titlesAt(system, startMs)).every((it) => it === title) || undefined
    }, PATIENCE_MS)
    seen += (await titlesAt(system, startMs)).filter((it) => it === title).length
  }
  const texts = await Promise.all(system.nodes.map((node) => guideOf(node.url(), system, 'epg.xml')))
  return {
    far_programs_in_guides: seen,
    guides_rejected_by_the_dtd: (await validateXmltv(texts)).status === 0 ? 0 : texts.length,
  }
}

/** What each guide of each node lists at a time. */
async function titlesAt(system: OnAirSystem, startMs: number): Promise<readonly (string | undefined)[]> {
  const titles = system.nodes.map(async (node) => {
    const { programs } = JSON.parse(await guideOf(node.url(), system, 'epg.json')) as JsonGuide
    const { programmes = [] } = parseXmltv(await guideOf(node.url(), system, 'epg.xml'))
    const listed = programmes.find(({ start }) => start?.getTime() === startMs)
    const [title] = listed?.title.map(({ _value }) => _value) ?? []
    return [programs.find(({ start_time }) => Date.parse(start_time) === startMs)?.title, title]
  })
  return (await Promise.all(titles)).flat()
}

interface JsonGuide {
  readonly programs: readonly { readonly title: string; readonly start_time: string }[]
}

const guideOf = async (url: string, { channelId }: OnAirSystem, file: string): Promise<string> =>
  (await fetchAnswer(addressOf(url, directOf(channelId), file))).text
