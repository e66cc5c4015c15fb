/** One server-sent event. The format of `data` depends on `event`. */
export interface ServerEvent {
  /** The id to resume after; empty if the stream has sent none. */
  readonly id: string
  readonly event: string
  readonly data: string
}

export interface EventParser {
  /** The id of the last event that is complete. */
  readonly lastEventId: string
  /** The `retry` field of the stream: the wait before reconnecting. */
  readonly retryMs: number | undefined
  /** Takes chunks of text, cut anywhere, and returns the events that they complete. */
  push(text: string): ServerEvent[]
}

/** Reads the event stream format of the HTML standard, §9.2.6. */
export function createEventParser(lastEventId: string, initialRetryMs?: number): EventParser {
  let complete = lastEventId
  let retryMs = initialRetryMs
  let rest = '' // the line that has not ended yet
  let endedOnReturn = false // the text so far ended in CR, to which an LF may still belong
  let pending = { id: lastEventId, event: '', data: [] as string[] }

  function takeLine(line: string): ServerEvent | undefined {
    if (line === '') return takeEvent()
    const [, name, value] = /^([^:]*)(?:: ?)?(.*)$/s.exec(line) ?? ['', '', '']
    if (name === 'data') pending.data.push(value ?? '')
    if (name === 'event') pending.event = value ?? ''
    if (name === 'id' && !value?.includes('\0')) pending.id = value ?? ''
    if (name === 'retry' && /^\d+$/.test(value ?? '')) retryMs = Number(value)
    return undefined
  }

  function takeEvent(): ServerEvent | undefined {
    const { id, event, data } = pending
    complete = id
    pending = { id, event: '', data: [] }
    return data.length === 0 ? undefined : { id, event: event || 'message', data: data.join('\n') }
  }

  return {
    get lastEventId() {
      return complete
    },
    get retryMs() {
      return retryMs
    },
    push(text) {
      if (text === '') return []
      const fresh = endedOnReturn && text.startsWith('\n') ? text.slice(1) : text
      endedOnReturn = text.endsWith('\r')
      const lines = (rest + fresh).split(/\r\n|\r|\n/)
      rest = lines.pop() ?? ''
      return lines.map(takeLine).filter((event) => event !== undefined)
    },
  }
}
