// Numbers of the syntax that both the writer and the reader of a section need.

export const TABLE_ID = 0xfc

/** A section may not be longer behind its length (§9.6.1), nor a descriptor (§10.2.1). */
export const MAX_SECTION_LENGTH = 4_093
export const MAX_DESCRIPTOR_LENGTH = 254

/** What old equipment wrote instead of the length of the command. */
export const UNSAID_COMMAND_LENGTH = 0xfff

export const commandTypes = {
  splice_null: 0x00,
  splice_insert: 0x05,
  time_signal: 0x06,
  bandwidth_reservation: 0x07,
} as const

export const descriptorTags = { avail: 0x00, segmentation: 0x02 } as const

/** `CUEI`: the owner of the descriptors that the standard itself defines. */
export const CUEI = 0x43554549
