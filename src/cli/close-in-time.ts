/** The process ends within a second of the signal that tells it to; what is left are clients whose answers did not come to their end, and files that the disk takes its time for. */
const PATIENCE_MS = 850;

/** Waits for a server to close, so long; then ends the process whatever still keeps it. */
export async function closeInTime(closed: Promise<void>): Promise<void> {
  const late = setTimeout(() => process.exit(), PATIENCE_MS);
  late.unref();
  await closed;
}
