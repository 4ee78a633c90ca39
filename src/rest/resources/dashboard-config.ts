import { booleanOption, durationOptionMs, textOption } from '../../versions/flink-options.js';
import { flinkRelease } from '../../versions/flink-releases.js';
import { canSubmit } from '../route-absent.js';
import { defineEndpoint, type Endpoint } from '../endpoint.js';

/** The zone's name as java.time prints it in full; a name that no calendar knows stays as it is. */
export function zoneDisplayName(zone: string): string {
  if (/^(UTC|Etc\/UTC|GMT|Z)$/.test(zone)) return 'Coordinated Universal Time';
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts(0);
    return parts.find((part) => part.type === 'timeZoneName')?.value ?? zone;
  } catch {
    return zone;
  }
}

export const endpoints: Endpoint[] = [
  defineEndpoint({
    method: 'GET',
    url: '/config',
    handle: (_request, context) => {
      const { state, version } = context;
      const { options, model } = state;
      const release = flinkRelease(version);
      const adaptive = ['adaptive', 'reactive'].includes(textOption(options, 'jobmanager.scheduler').toLowerCase());
      return {
        'refresh-interval': durationOptionMs(options, 'web.refresh-interval'),
        'timezone-name': zoneDisplayName(model.timeZoneName),
        'timezone-offset': model.timeZoneOffsetMinutes * 60_000,
        'flink-version': version.full,
        'flink-revision': `${release.commit} @ ${release.commitTime}`,
        features: {
          'web-submit': canSubmit(context),
          'web-cancel': booleanOption(options, 'web.cancel.enable'),
          'web-rescale': adaptive && booleanOption(options, 'web.rescale.enable'),
          'web-history': false,
        },
      };
    },
  }),
];
