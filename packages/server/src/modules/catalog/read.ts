export { type Episode, listEpisodes } from './records/episode-store.ts'
export { listPresentVideos } from './records/named-video-store.ts'
export { listPlaylistTitles } from './records/playlist-video-store.ts'
