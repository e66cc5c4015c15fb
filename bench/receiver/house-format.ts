import type { HouseFormat } from '@continuity/core/media/house-format'

export const format: HouseFormat = { frameRate: 30, segmentMs: 3_200, loudnessLufs: -23 }
