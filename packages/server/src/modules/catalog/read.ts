export { type Episode, listEpisodes } from './episode-store.ts'
export { listPresentVideos } from './named-video-store.ts'
export { listPlaylistTitles } from './playlist-video-store.ts'
