import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query'
import { useState } from 'react'

interface Page<T> {
  readonly hits: readonly T[]
  readonly total: number
  readonly page: { readonly page_mark: string | null }
  readonly total_relation?: 'eq' | 'gte'
}

export const PAGE_SIZE = 25

/** A list that is read page by page; each page has the mark of the next one. */
export function useMarkPages<T>(
  key: QueryKey,
  read: (page_offset: string | undefined, signal: AbortSignal) => Promise<Page<T>>,
  options: { readonly refetchInterval?: number } = {},
) {
  // The marks belong to the list that they were read with: another one begins with its first page.
  const list = JSON.stringify(key)
  const [turned, setTurned] = useState<{ readonly list: string; readonly marks: readonly string[] }>({
    list,
    marks: [],
  })
  const marks = turned.list === list ? turned.marks : []
  const setMarks = (next: readonly string[]) => setTurned({ list, marks: next })
  const mark = marks.at(-1)
  const { data, error, isPlaceholderData } = useQuery({
    ...options,
    queryKey: [...key, mark ?? ''],
    queryFn: ({ signal }) => read(mark, signal),
    // No event reports these records.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const next = data?.page.page_mark ?? null
  const first = marks.length * PAGE_SIZE + 1
  const last = first - 1 + (data?.hits.length ?? 0)
  const total = `${data?.total_relation === 'gte' ? 'more than ' : ''}${counts.format(data?.total ?? 0)}`
  return {
    data,
    error,
    /** What is shown belongs to the list before. */
    isOld: isPlaceholderData,
    pager: {
      text: last < first ? 'None' : `${counts.format(first)} to ${counts.format(last)} of ${total}`,
      onPrevious: marks.length > 0 ? () => setMarks(marks.slice(0, -1)) : undefined,
      onNext: next === null ? undefined : () => setMarks([...marks, next]),
    },
  }
}

const counts = new Intl.NumberFormat('en-GB')
