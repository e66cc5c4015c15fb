/** The unit that dependency rules are about: a package, a layer of the server, or one of its modules. */
export function moduleOf(path: string): string {
  const [, name = '', , first = '', second = ''] = path.split('/')
  if (name !== 'server') return name
  return first === 'modules' ? `modules/${second}` : first
}

/** The module that a package of ours is, by the name that it is imported under. */
export function moduleOfPackage(specifier: string): string | undefined {
  const match = /^@continuity\/([a-z-]+)(?:\/([a-z]+))?/.exec(specifier)
  if (match === null) return undefined
  return match[1] === 'server' ? (match[2] ?? 'server') : match[1]
}

/** The modules that each module may import. */
export const allowedDependencies: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  core: [],
  platform: ['core'],
  http: ['platform', 'contract', 'core'],
  'modules/audit': ['platform', 'core'],
  'modules/events': ['platform', 'core'],
  'modules/alerts': ['modules/events', 'platform', 'core'],
  'modules/audience': [
    'modules/accounts',
    'modules/audit',
    'modules/channels',
    'modules/schedule',
    'platform',
    'core',
  ],
  // Reports only read: they join tables of other modules.
  'modules/reports': ['modules/catalog', 'modules/schedule', 'platform', 'core'],
  'modules/clocks': ['modules/alerts', 'platform', 'core'],
  'modules/accounts': ['modules/audit', 'modules/events', 'platform', 'core'],
  'modules/auth': ['modules/accounts', 'modules/audit', 'modules/events', 'platform', 'core'],
  'modules/catalog': ['modules/audit', 'modules/events', 'platform', 'core'],
  'modules/channels': ['modules/audit', 'modules/events', 'platform', 'core'],
  'modules/assets': ['modules/accounts', 'modules/alerts', 'modules/catalog', 'platform', 'core'],
  'modules/live': [
    'modules/accounts',
    'modules/alerts',
    'modules/assets',
    'modules/audit',
    'modules/events',
    'platform',
    'core',
  ],
  'modules/schedule': [
    'modules/accounts',
    'modules/alerts',
    'modules/assets',
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
    'modules/assets',
    'modules/audit',
    'modules/catalog',
    'modules/channels',
    'modules/events',
    'modules/schedule',
    'platform',
    'core',
  ],
  'modules/programs': [
    'modules/assets',
    'modules/audit',
    'modules/catalog',
    'modules/channels',
    'modules/ingest',
    'modules/schedule',
    'platform',
    'core',
  ],
  'modules/plans': [
    'modules/alerts',
    'modules/assets',
    'modules/audit',
    'modules/catalog',
    'modules/channels',
    'modules/events',
    'modules/ingest',
    'modules/programs',
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
    'modules/assets',
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
  // These run without a database, and so use no module that has tables.
  'modules/receiver': ['platform', 'core'],
  'modules/playout': ['http', 'platform', 'core'],
  app: ['modules/*', 'http', 'platform', 'contract', 'core'],
  bin: ['app', 'platform'],
  owner: ['app', 'modules/*', 'platform'],
  client: ['contract'],
  // What tests share; servers and tools of one machine.
  dev: ['core', 'client', 'contract', 'owner'],
  'playlist-validator': [],
  'test-source': [],
  cli: ['client', 'owner', 'test-source'],
  // It runs in a browser: what it knows of the service is the interface.
  console: ['client', 'contract', 'core'],
}

/** Files of a module that map to and from the HTTP interface, and may import it. */
export const wireFiles = /\/(?:[a-z]+-)*(?:routes|wire)\.ts$/
export const wireModules = ['contract', 'http']

/** The files of a module that other modules may import. */
export const entryPoints = /\/(index|read|routes|jobs|errors)\.ts$/

/** Third-party packages by module. Modules that are not listed may use Node's and those of their package.json. */
export const thirdParty: Readonly<Record<string, readonly string[]>> = {
  contract: ['typebox'],
  core: [],
  client: [],
  console: [
    'react',
    'react-dom',
    '@mantine/core',
    '@mantine/hooks',
    '@tanstack/react-query',
    'hls.js',
    'chart.js',
  ],
}
