import type { Endpoint } from '../endpoint.js';

/** Every endpoint of every version; those that a version does not have are left out when its routes are made. */
export const ENDPOINTS: readonly Endpoint[] = [];
