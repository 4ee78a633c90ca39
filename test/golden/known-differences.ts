/** Steps whose answer cannot be alike, each with its reason; docs/differences.md says the same. */
export const KNOWN_DIFFERENCES: readonly { readonly versions: readonly string[]; readonly step: string; readonly reason: string }[] = [];
