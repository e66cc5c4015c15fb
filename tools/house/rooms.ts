/**
 * A room is a part of the house that has rules of its own: a package, a layer
 * of the server, or one of its modules.
 */
export function roomOf(path: string): string {
  const [, name = '', , first = '', second = ''] = path.split('/')
  if (name !== 'server') return name
  return first === 'modules' ? `modules/${second}` : first
}

/** A package of ours as the rooms see it, by the name that it is imported under. */
export function roomOfPackage(specifier: string): string | undefined {
  const match = /^@continuity\/([a-z]+)(?:\/([a-z]+))?/.exec(specifier)
  if (match === null) return undefined
  return match[1] === 'server' ? (match[2] ?? 'server') : match[1]
}

/** Which rooms a room may use. What is not here is an arrow that nobody decided on. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  core: [],
  platform: ['core'],
  http: ['platform', 'contract', 'core'],
  'modules/audit': ['platform', 'core'],
  'modules/events': ['platform', 'core'],
  'modules/alerts': ['modules/events', 'platform', 'core'],
  'modules/audience': ['modules/accounts', 'modules/channels', 'modules/schedule', 'platform', 'core'],
  // A report joins what other modules keep, and only reads it.
  'modules/reports': ['modules/catalog', 'modules/schedule', 'platform', 'core'],
  'modules/clocks': ['modules/alerts', 'platform', 'core'],
  'modules/accounts': ['modules/audit', 'modules/events', 'platform', 'core'],
  'modules/auth': ['modules/accounts', 'modules/audit', 'modules/events', 'platform', 'core'],
  'modules/catalog': ['modules/audit', 'modules/events', 'platform', 'core'],
  'modules/channels': ['modules/audit', 'modules/events', 'platform', 'core'],
  'modules/live': [
    'modules/accounts',
    'modules/alerts',
    'modules/audit',
    'modules/events',
    'platform',
    'core',
  ],
  'modules/schedule': [
    'modules/accounts',
    'modules/alerts',
    'modules/audit',
    'modules/catalog',
    'modules/channels',
    'modules/events',
    'platform',
    'core',
  ],
  'modules/ingest': [
    'modules/accounts',
    'modules/alerts',
    'modules/audit',
    'modules/catalog',
    'modules/channels',
    'modules/events',
    'modules/schedule',
    'platform',
    'core',
  ],
  'modules/webhooks': ['modules/alerts', 'modules/audit', 'modules/events', 'platform', 'core'],
  'modules/alert-mails': [
    'modules/accounts',
    'modules/alerts',
    'modules/audit',
    'modules/channels',
    'modules/events',
    'modules/live',
    'modules/schedule',
    'platform',
    'core',
  ],
  'modules/breaks': [
    'modules/accounts',
    'modules/audit',
    'modules/events',
    'modules/live',
    'platform',
    'core',
  ],
  'modules/overrides': [
    'modules/audit',
    'modules/channels',
    'modules/live',
    'modules/schedule',
    'platform',
    'core',
  ],
  // Neither needs a database, and so no module that has tables.
  'modules/receiver': ['platform', 'core'],
  'modules/playout': ['http', 'platform', 'core'],
  app: ['modules/*', 'http', 'platform', 'contract', 'core'],
  bin: ['app', 'platform'],
  owner: ['app', 'modules/*', 'platform'],
  client: ['contract'],
  cli: ['client', 'owner'],
}

/** These files of a module speak to the wire, and so may use it. */
export const wireFiles = /\/(?:[a-z]+-)*(?:routes|wire)\.ts$/
export const wireRooms = ['contract', 'http']

/** The files of a module that other rooms may import. */
export const faces = /\/(index|read|routes|jobs|errors)\.ts$/

/** Packages from outside, by room. Rooms that are not here may use Node's and those of their package.json. */
export const outside: Readonly<Record<string, readonly string[]>> = {
  contract: ['typebox'],
  core: [],
  client: [],
}
