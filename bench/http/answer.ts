import { operations } from '@continuity/contract'

/** The answer of both servers: one video, about 1.2 kB. */
export const answer = operations.getVideo.example.answer
export const path = '/api/2.1/bench'
