import { valueIn, type ByVersion, type FlinkVersion } from './flink-versions.js';

/** Where the distribution lies, as environment and log options show it. */
export const FLINK_HOME = '/opt/flink';

const LOG4J: ByVersion<string> = [
  ['1.9', '2.12.1'],
  ['1.16', '2.17.1'],
  ['1.20', '2.24.3'],
  ['2.3', '2.25.3'],
];

/** The jars of `lib/`, in the order in which the start script puts them on the class path (flink-dist comes last). */
export function libraryJars(version: FlinkVersion): string[] {
  const log4j = valueIn(LOG4J, version);
  const names = [
    `flink-cep-${version.full}`,
    `flink-connector-files-${version.full}`,
    `flink-csv-${version.full}`,
    `flink-json-${version.full}`,
    `flink-scala_2.12-${version.full}`,
    `flink-table-api-java-uber-${version.full}`,
    `flink-table-planner-loader-${version.full}`,
    `flink-table-runtime-${version.full}`,
    `log4j-1.2-api-${log4j}`,
    `log4j-api-${log4j}`,
    `log4j-core-${log4j}`,
    ...(version.full.startsWith('2.') ? [`log4j-layout-template-json-${log4j}`] : []),
    `log4j-slf4j-impl-${log4j}`,
    `flink-dist-${version.full}`,
  ];
  return names.map((name) => `${FLINK_HOME}/lib/${name}.jar`);
}

/** Packages that Flink's default env.java.opts.all opens to itself on Java 17. */
const ADD_EXPORTS = ['java.rmi/sun.rmi.registry', 'java.base/sun.net.util', 'jdk.compiler/com.sun.tools.javac.api', 'java.security.jgss/sun.security.krb5'];
const ADD_OPENS = ['java.lang', 'java.net', 'java.io', 'java.nio', 'sun.nio.ch', 'java.lang.reflect', 'java.text', 'java.time', 'java.util', 'java.util.concurrent', 'java.util.concurrent.atomic', 'java.util.concurrent.locks'];

/** Options with which the start script starts a job manager's JVM. */
export function jobManagerJvmOptions(heapMaxBytes: number, logName: string): string[] {
  const log = `${FLINK_HOME}/log/${logName}`;
  return [
    `-Xmx${Math.round(heapMaxBytes / 1024 ** 2)}m`,
    '-XX:MaxMetaspaceSize=268435456',
    '-XX:+IgnoreUnrecognizedVMOptions',
    ...ADD_EXPORTS.map((name) => `--add-exports=${name}=ALL-UNNAMED`),
    ...ADD_OPENS.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`),
    `-Dlog.file=${log}`,
    `-Dlog4j.configuration=file:${FLINK_HOME}/conf/log4j.properties`,
    `-Dlog4j.configurationFile=file:${FLINK_HOME}/conf/log4j.properties`,
    `-Dlogback.configurationFile=file:${FLINK_HOME}/conf/logback.xml`,
  ];
}

/** The Java that the simulated processes run on; stack traces name the same release. */
export const JVM_VERSION = 'OpenJDK 64-Bit Server VM - Debian - 17/17.0.15+6-Debian-1deb12u1';
export const JVM_ARCHITECTURE = 'amd64';
