import type { Fleet } from './fleet.js';
import { clusterView, fleetHealth } from './views.js';

/** Rows that the page shows; the list of all is below `/_fleet/clusters`. */
const ROWS = 500;

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** A list of the clusters with ways to each, for people. */
export function fleetPage(fleet: Fleet, url: string): string {
  const { clusters, opening, running, failed } = fleetHealth(fleet);
  const shown = [...fleet.list()].slice(0, ROWS).map((cluster) => clusterView(fleet, cluster, url));
  const row = (view: (typeof shown)[number]): string => {
    // By path, a link that holds whatever name the fleet is reached by.
    const { path } = fleet.definition.routing;
    const link = path === null ? view.url : `${path}/${view.name}`;
    const control = view.control ? `<a href="${escaped(link)}/_mock/">console</a>` : '';
    return `<tr><td><a href="${escaped(link)}/">${escaped(view.name)}</a></td><td>${view.status}</td><td>${escaped(view.scenario)}</td><td>${escaped(view.flinkVersion)}</td><td>${view.jobs}</td><td>${view.now.slice(0, 19).replace('T', ' ')}</td><td>${control}</td></tr>`;
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>mock-flink fleet</title>
<style>body{font:14px/1.5 system-ui,sans-serif;margin:1.5rem}table{border-collapse:collapse}th,td{text-align:left;padding:.2rem 1rem .2rem 0}th{border-bottom:1px solid}</style>
</head>
<body>
<h1>mock-flink fleet</h1>
<p>${clusters} clusters: ${running} running, ${opening} opening, ${failed} failed.${clusters > ROWS ? ` The first ${ROWS}; all are at <a href="./clusters">/_fleet/clusters</a>.` : ''}</p>
<table>
<thead><tr><th>cluster</th><th>status</th><th>scenario</th><th>Flink</th><th>jobs</th><th>its time (UTC)</th><th></th></tr></thead>
<tbody>
${shown.map(row).join('\n')}
</tbody>
</table>
</body>
</html>
`;
}
