import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed, runWell } from './tools.js';

const SOURCES = fileURLToPath(new URL('../java', import.meta.url));

/** Packages that Flink (or a library below it) reaches into; since Java 16 they have to be opened. */
const OPENED = ['lang', 'util', 'net', 'io', 'nio', 'text', 'time', 'lang.reflect', 'lang.invoke', 'util.concurrent', 'util.concurrent.atomic']
  .map((name) => `java.base/java.${name}`)
  .concat(['java.base/sun.nio.ch', 'java.base/sun.net.util']);

export interface FlinkJava {
  readonly version: string;
  /** Arguments of `java` for one of the programs in test/clients/java. */
  command(program: string, args: readonly string[]): string[];
}

/** Flink's client classes of a release, from Maven, and the programs of test/clients/java compiled against them. */
export async function installFlinkJava(version: string): Promise<FlinkJava> {
  const [major, minor] = version.split('.').map(Number) as [number, number];
  // the artifacts lost their Scala suffix in 1.15
  const suffix = major === 1 && minor < 15 ? '_2.11' : '';
  const pom = path.join(SOURCES, 'pom.xml');
  const jars = await installed(`flink-${version}-${digestOf([pom])}`, async (folder) => {
    await runWell('mvn', ['-q', '-B', '-f', pom, `-Dflink.version=${version}`, `-Dscala.suffix=${suffix}`, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`]);
  });
  const sources = readdirSync(SOURCES).filter((name) => name.endsWith('.java')).map((name) => path.join(SOURCES, name));
  const classes = await installed(`classes-${version}-${digestOf(sources)}`, async (folder) => {
    await runWell('javac', ['-nowarn', '-proc:none', '-encoding', 'UTF-8', '-cp', path.join(jars, '*'), '-d', folder, ...sources]);
  });
  return {
    version,
    command: (program, args) => [...OPENED.map((name) => `--add-opens=${name}=ALL-UNNAMED`), '-Xmx400m', '-XX:TieredStopAtLevel=1', '-Dfile.encoding=UTF-8', '-cp', `${classes}:${classPath(jars)}`, program, ...args],
  };
}

/** Names what is made from these files, so that it is made anew when they change. */
function digestOf(files: readonly string[]): string {
  const digest = createHash('sha256');
  for (const file of files) digest.update(readFileSync(file));
  return digest.digest('hex').slice(0, 12);
}

/** Every jar by name: programs look through the class path, where a wildcard would not say what is there. */
function classPath(folder: string): string {
  return readdirSync(folder).filter((name) => name.endsWith('.jar')).sort().map((name) => path.join(folder, name)).join(':');
}
