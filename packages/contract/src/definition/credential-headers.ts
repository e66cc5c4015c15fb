/**
 * The interface spells the device header differently on its two prefixes.
 * Both spellings are taken on both, in any case; each document shows its own.
 */
export const authHeader = 'x-service-auth'
export const deviceHeaders = ['x-service-device', 'x-service-deviceid'] as const

export const documentedHeaders = {
  '2.1': { auth: 'X-Service-Auth', device: 'X-Service-Device' },
  '2.3': { auth: 'x-service-auth', device: 'x-service-deviceid' },
} as const
