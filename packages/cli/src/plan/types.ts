import type { Client } from '@continuity/client'

export type Plan = Awaited<ReturnType<Client['getPlan']>>
export type Preview = Awaited<ReturnType<Client['previewPlan']>>
export type Rules = Plan['rules']
export type Warning = Plan['warnings'][number]
export type Content = NonNullable<Rules['default']>['content']
