/** The keys of everything that is read, so that an event can name what it changes. */
export const keys = {
  channels: ['channels'],
  now: (channelId: string) => ['now', channelId],
  upcoming: (channelId: string) => ['upcoming', channelId],
  audience: ['audience'],
  program: (channelId: string) => ['program', channelId],
  pendingSwitch: (channelId: string) => ['switch', channelId],
  alerts: ['alerts'],
  audit: ['audit'],
  auditOf: (subjectId: string) => ['audit', subjectId],
  users: ['users'],
  liveSources: ['live-sources'],
  preview: (sourceId: string) => ['preview', sourceId],
  adBreak: (sourceId: string) => ['ad-break', sourceId],
} as const
