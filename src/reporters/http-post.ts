/** How long a receiver may take, ms. */
const TIMEOUT_MS = 10_000;

/** Sends a body; a receiver that does not take it is an error that says why. */
export async function httpSend(method: 'POST' | 'PUT' | 'DELETE', url: string, headers: Readonly<Record<string, string>>, body: string | Uint8Array<ArrayBuffer> | null, timeoutMs = TIMEOUT_MS): Promise<void> {
  const response = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeoutMs) }).catch((error: unknown) => {
    const { message, cause } = error as Error;
    throw new Error(`${new URL(url).host} cannot be reached (${cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message})`);
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${new URL(url).host} answered ${response.status}: ${text.slice(0, 200)}`);
}
