/** Options shared by all measured APIs: no proxy in front, and the default limits. */
export const apiOptions = {
  clock: Date.now,
  dependencies: [],
  corsOrigins: ['*'],
  trustedProxies: [],
  limits: { requestsInFlight: 1_000, eventLoopDelayMs: 500 },
  deadlineMs: 10_000,
  checkAnswers: false,
}
