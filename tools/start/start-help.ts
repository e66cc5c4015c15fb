/** What `npm start -- --help` prints. */
export const startHelp = `Usage: npm start [-- --demo]

Starts the whole system on this machine: PostgreSQL, NATS, the API with the console, a worker, a playout node and a
receiver. It prints the address, and the password of a demo account. Ctrl-C stops it.

  --demo  four channels with a week of schedule, two live sources, and viewers: something to look at on every screen

Settings are environment variables:

  PORT                port of the API, 0 for any free one; default 8080. The playout node listens at the next one
  CONTINUITY_HOME     folder of data, keys and logs; default .continuity
  PG_BIN_DIR          folder of PostgreSQL's programs, if they are not found
  DATABASE_URL        a PostgreSQL of yours, together with DATABASE_OWNER_URL
  NATS_URL            a NATS of yours
  CONTINUITY_SERVERS  folder of built processes, such as dist/server (npm run build), to run instead of the sources

Settings of the processes (docs/configuration.md) are passed on. tools/dev-stack/README.md describes the rest,
docs/first-channel.md and docs/first-channel-console.md the way to a first channel.
`
