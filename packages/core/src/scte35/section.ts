/**
 * A splice_info_section (SCTE 35 2023r1, §9.6). All times are ticks of 90 kHz with 33 bits; a segment's
 * duration has 40.
 */
export interface SpliceInfoSection {
  /** How a decoder can begin at the splice point (Table 6); 3 if unspecified. */
  readonly sapType: 0 | 1 | 2 | 3
  /** Added to every time of the command by equipment that changed the stream's timestamps. */
  readonly ptsAdjustment: number
  /** 8 bits, unused here, because encrypted sections are not read. */
  readonly cwIndex: number
  /** 12 bits; 0xfff is for all receivers. */
  readonly tier: number
  readonly command: SpliceCommand
  readonly descriptors: readonly SpliceDescriptor[]
}

export type SpliceCommand =
  | { readonly kind: 'splice_null' }
  | { readonly kind: 'bandwidth_reservation' }
  /** Null: immediately. */
  | { readonly kind: 'time_signal'; readonly ptsTime: number | null }
  | { readonly kind: 'splice_insert_cancel'; readonly eventId: number }
  | SpliceInsert
  | UndecodedCommand

export interface SpliceInsert {
  readonly kind: 'splice_insert'
  readonly eventId: number
  /** Whether the id consists of a source and a number (§9.9.3); false if unspecified. */
  readonly isIdCompliant: boolean
  /** Out of the network's program, into the break; or back. */
  readonly isOutOfNetwork: boolean
  readonly splice: Splice
  readonly breakDuration: BreakDuration | null
  readonly uniqueProgramId: number
  readonly availNum: number
  readonly availsExpected: number
}

/** What is spliced, and when. A null time is unspecified. */
export type Splice =
  | { readonly kind: 'program_immediate' }
  | { readonly kind: 'program'; readonly ptsTime: number | null }
  | { readonly kind: 'components_immediate'; readonly tags: readonly number[] }
  | { readonly kind: 'components'; readonly components: readonly SplicedComponent[] }

export interface SplicedComponent {
  readonly tag: number
  readonly ptsTime: number | null
}

export interface BreakDuration {
  /** Whether the break ends by itself; otherwise a splice back follows. */
  readonly autoReturn: boolean
  readonly durationTicks: number
}

/** A splice_schedule, a private_command, or a command of a later edition. */
export interface UndecodedCommand {
  readonly kind: 'undecoded'
  readonly type: number
  readonly bytes: Uint8Array
}

export type SpliceDescriptor =
  | { readonly kind: 'avail'; readonly providerAvailId: number }
  | { readonly kind: 'segmentation_cancel'; readonly eventId: number; readonly isIdCompliant: boolean }
  | SegmentationDescriptor
  | UnknownDescriptor

export interface SegmentationDescriptor {
  readonly kind: 'segmentation'
  readonly eventId: number
  readonly isIdCompliant: boolean
  /** Null: delivery is not restricted. */
  readonly restrictions: DeliveryRestrictions | null
  /** Null: the whole program is segmented. */
  readonly components: readonly SegmentedComponent[] | null
  readonly durationTicks: number | null
  readonly upid: { readonly type: number; readonly bytes: Uint8Array }
  readonly typeId: number
  readonly segmentNum: number
  readonly segmentsExpected: number
  readonly subSegment: { readonly num: number; readonly expected: number } | null
}

export interface DeliveryRestrictions {
  readonly isWebDeliveryAllowed: boolean
  readonly hasNoRegionalBlackout: boolean
  readonly isArchiveAllowed: boolean
  /** A group of devices that must not show it; 3 is none. */
  readonly deviceRestrictions: 0 | 1 | 2 | 3
}

export interface SegmentedComponent {
  readonly tag: number
  readonly ptsOffset: number
}

/** A descriptor of another owner or kind, or one with invalid syntax. */
export interface UnknownDescriptor {
  readonly kind: 'unknown'
  readonly tag: number
  readonly identifier: number
  readonly bytes: Uint8Array
}
