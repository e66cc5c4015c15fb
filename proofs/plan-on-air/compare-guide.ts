import type { Hit } from '../../packages/server/src/modules/plans/testing/a-plan-api.ts'

interface GuideProgram {
  readonly program_id: string | null
  readonly title: string
  readonly start_time: string
  readonly end_time: string
}

/** Guides show the announced time of what begins or ends up to a second off it. */
const NEAR_MS = 1_000

/** Whether the guide of an output lists the same programs as the schedule, of those that begin between two times. */
export function compareGuide(
  guide: string,
  scheduled: readonly Hit[],
  fromMs: number,
  toMs: number,
): { readonly faults: readonly string[]; readonly compared: number } {
  const { programs } = JSON.parse(guide) as { readonly programs: readonly GuideProgram[] }
  const isBetween = ({ start_time }: { readonly start_time: string }) =>
    Date.parse(start_time) > fromMs + NEAR_MS && Date.parse(start_time) < toMs - NEAR_MS
  const inGuide = new Map(programs.filter(isBetween).map((it) => [String(it.program_id), it]))
  const inSchedule = scheduled.filter(isBetween)
  const faults: string[] = []
  for (const { program_id, title, start_time, end_time } of inSchedule) {
    const entry = inGuide.get(program_id)
    if (entry === undefined) faults.push(`${title} at ${start_time} is not in the guide`)
    else if (
      entry.title !== title ||
      !isNear(entry.start_time, start_time) ||
      !isNear(entry.end_time, String(end_time))
    )
      faults.push(
        `${title} from ${start_time} to ${end_time} is ${entry.title} from ${entry.start_time} to ${entry.end_time} in the guide`,
      )
    inGuide.delete(program_id)
  }
  for (const { title, start_time } of inGuide.values())
    faults.push(`${title} at ${start_time} is in the guide alone`)
  return { faults, compared: inSchedule.length }
}

const isNear = (one: string, other: string): boolean =>
  Math.abs(Date.parse(one) - Date.parse(other)) <= NEAR_MS
