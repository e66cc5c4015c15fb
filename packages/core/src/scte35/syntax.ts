// Constants of the syntax, for the writer and the reader of a section.

export const TABLE_ID = 0xfc

/** Largest length of a section (§9.6.1) and of a descriptor (§10.2.1), after the length field. */
export const MAX_SECTION_LENGTH = 4_093
export const MAX_DESCRIPTOR_LENGTH = 254

/** Written by old equipment instead of the length of the command. */
export const UNSPECIFIED_COMMAND_LENGTH = 0xfff

export const commandTypes = {
  splice_null: 0x00,
  splice_insert: 0x05,
  time_signal: 0x06,
  bandwidth_reservation: 0x07,
} as const

export const descriptorTags = { avail: 0x00, segmentation: 0x02 } as const

/** `CUEI`: the owner of the descriptors that the standard itself defines. */
export const CUEI = 0x43554549
