import { fileURLToPath } from 'node:url';
import { folderSource, type FileSource, type SourceFile } from './static/file-source.js';

/** What the page says of the console, where there is one beside it. */
const CONSOLE_LINK = /\s*<a id="console".*?<\/a>/;

/** The page's files, read for the first server of the process. */
let shipped: Promise<FileSource | undefined> | undefined;

/** Our own page; undefined where the package was installed without it. */
export async function statusPage(hasConsole: boolean): Promise<FileSource | undefined> {
  const source = await (shipped ??= folderSource(fileURLToPath(new URL('./status-page/', import.meta.url))).catch(() => undefined));
  const index = source?.files.get('index.html');
  if (!source || !index || hasConsole) return source;
  const content = Buffer.from(String(index.read()).replace(CONSOLE_LINK, ''));
  const without: SourceFile = { size: content.length, read: () => content };
  return { ...source, files: new Map([...source.files, ['index.html', without]]) };
}
