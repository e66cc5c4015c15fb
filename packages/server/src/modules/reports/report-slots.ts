/** Limits the reports that are read at once: each has a connection of its own. */
export interface ReportSlots {
  /** Takes a slot, or returns which limit is reached. */
  take(accountId: string): ReportSlot | 'account_full' | 'process_full'
}

export interface ReportSlot {
  release(): void
}

export function createReportSlots(limits: {
  readonly perAccount: number
  readonly perProcess: number
}): ReportSlots {
  const open = new Map<string, number>()
  let all = 0
  return {
    take(accountId) {
      const own = open.get(accountId) ?? 0
      if (own >= limits.perAccount) return 'account_full'
      if (all >= limits.perProcess) return 'process_full'
      open.set(accountId, own + 1)
      all += 1
      let isTaken = true
      return {
        release() {
          if (!isTaken) return
          isTaken = false
          all -= 1
          const left = open.get(accountId)! - 1
          if (left === 0) open.delete(accountId)
          else open.set(accountId, left)
        },
      }
    },
  }
}
