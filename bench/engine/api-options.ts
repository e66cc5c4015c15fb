/** What is alike in every API that is measured: nothing in front of it, and the limits that it has by default. */
export const apiOptions = {
  clock: Date.now,
  dependencies: [],
  corsOrigins: ['*'],
  trustedProxies: [],
  limits: { requestsInFlight: 1_000, eventLoopDelayMs: 500 },
  deadlineMs: 10_000,
  checkAnswers: false,
}
