/** Why a cluster could not be recorded or verified, in words for the one who asked. */
export class RecorderError extends Error {}
