/** The system's short name for what went wrong, such as ENOENT; undefined for faults of other kinds. */
export function codeOf(fault: unknown): unknown {
  return fault instanceof Error && 'code' in fault ? fault.code : undefined
}

/** The message for a person. */
export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}
