/** Options shared by all measured APIs: no proxy in front, and limits that nothing reaches. */
export const apiOptions = {
  clock: Date.now,
  dependencies: [],
  corsOrigins: ['*'],
  trustedProxies: [],
  limits: { requestsInFlight: 1_000, eventLoopDelayMs: 10_000 },
  deadlineMs: 10_000,
  checkAnswers: false,
}
