import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useClient } from '../session/session-context.tsx'
import { keys } from '../shared/query-keys.ts'
import { readUpTo } from '../shared/read-up-to.ts'
import { serverNowMs } from '../shared/server-time.ts'
import type { Program } from '../shared/wire-types.ts'
import { reasonAgainstRemoval } from './program-words.ts'

/** A program with its components. One that can be changed has an ETag, by which a change of another user is noticed. */
export function useProgramDetail(channelId: string, program: Program) {
  const client = useClient()
  return useQuery({
    queryKey: keys.programAt(channelId, program.program_id, program.start_time),
    // A copy would have no ETag.
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<Program | null> => {
      const params = { linear_channel_id: channelId }
      if (reasonAgainstRemoval(program, serverNowMs()) === undefined) {
        return client.getProgram({ params: { ...params, program_id: program.program_id } }, { signal })
      }
      // Overrides, and the parts of what was interrupted, are only in the list.
      const startMs = Date.parse(program.start_time)
      const query = {
        from: program.start_time,
        to: new Date(startMs + 1).toISOString(),
        components: true,
        page_size: 50,
      }
      const { hits } = await client.listPrograms({ params, query }, { signal })
      return hits.find((hit) => hit.program_id === program.program_id) ?? null
    },
  })
}

export function useVideo(videoId: string) {
  const client = useClient()
  return useQuery({
    queryKey: keys.video(videoId),
    queryFn: ({ signal }) => client.getVideo({ params: { video_id: videoId } }, { signal }),
  })
}

const FOUND_MAXIMUM = 8
const TYPING_MS = 250

/** Videos that match, a moment after the last key. */
export function useVideoSearch(text: string) {
  const client = useClient()
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return useQuery({
    queryKey: ['video-search', settled],
    queryFn: async ({ signal }) => {
      const input = { query: { page_size: FOUND_MAXIMUM }, body: { query: settled } }
      return (await client.searchVideos(input, { signal })).hits
    },
    enabled: settled !== '',
    staleTime: 30_000,
  })
}

/** More than anyone scrolls through in a list. */
const CHOICES_MAXIMUM = 500

export function usePlaylists() {
  const client = useClient()
  return useQuery({
    queryKey: keys.playlists,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const pages = client.listPlaylists.all({ query: { page_size: 50 } }, { signal })
      const found = await readUpTo(CHOICES_MAXIMUM, pages)
      return found.map(({ playlist_id, title }) => ({ id: playlist_id, title }))
    },
  })
}
