import { ensureToken } from './api.js';
import { buffersTab } from './buffers.js';
import { startCharts } from './charts.js';
import { startClockBar } from './clock-bar.js';
import { connect, onTrouble } from './connection.js';
import { h } from './dom.js';
import { faultsTab } from './faults.js';
import { startGraph } from './graph.js';
import { startHeader } from './header.js';
import { journalTab } from './journal.js';
import { checkpointsTab, eventsTab } from './lists.js';
import { logTab } from './log.js';
import { startShortcuts } from './shortcuts.js';
import { onChange, store } from './store.js';
import { setBadge, startTabs } from './tabs.js';
import { startTheme } from './theme.js';
import { threadsTab } from './threads.js';
import { startTimeline } from './timeline.js';
import { vertexTab } from './vertex-panel.js';

startTheme();
startHeader();
startTimeline();
startClockBar();
startGraph();
startCharts();
startTabs([vertexTab(), buffersTab(), threadsTab(), faultsTab(), checkpointsTab(), eventsTab(), logTab(), journalTab()]);
startShortcuts();

const trouble = h('p', { class: 'banner', role: 'alert', hidden: true });
document.body.append(trouble);
onTrouble((message) => {
  trouble.hidden = message === null;
  trouble.textContent = message ?? '';
});
onChange(() => {
  const faults = store.state?.faults.length ?? 0;
  setBadge('faults', faults === 0 ? '' : String(faults));
});
await ensureToken();
connect();
