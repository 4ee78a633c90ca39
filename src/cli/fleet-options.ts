import { SERVE_OPTIONS, type OptionDefinition, type ServeOptions } from './serve-options.js';

const KEYS = ['port', 'host', 'clock', 'startTime', 'dashboard', 'controlToken', 'basicAuth', 'logLevel'] as const satisfies readonly (keyof ServeOptions)[];

export type FleetOptionKey = (typeof KEYS)[number];

/** Options of `fleet` that `serve` has, too: they read and say the same. */
export const FLEET_OPTIONS: readonly OptionDefinition[] = SERVE_OPTIONS.filter(({ key }) => (KEYS as readonly string[]).includes(key));

export type FleetFlags = Readonly<Partial<Record<FleetOptionKey | 'since', string>>> & { readonly check?: boolean };
