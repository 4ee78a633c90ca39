import type { ByVersion } from './flink-versions.js';

const MB = 1_048_576;

/** A Flink process that has started and has nothing to do, and what running a job adds. Read off recorded clusters. */
export interface ProcessBaseline {
  /** Live objects after start-up, bytes. */
  readonly liveHeapBytes: number;
  /** What the collector has committed when nothing presses, bytes. */
  readonly heapCommittedBytes: number;
  readonly metaspaceBytes: number;
  /** Metaspace that the first job's classes take, bytes; later ones share most of them. */
  readonly metaspacePerJobBytes: number;
  /** Code cache and compressed classes, bytes: fresh, and once warm. */
  readonly codeBytes: number;
  readonly warmCodeBytes: number;
  readonly classes: number;
  readonly classesPerJob: number;
  readonly directCount: number;
  readonly directBytes: number;
  readonly startCpuMs: number;
  readonly startCollections: number;
  readonly startCollectionMs: number;
}

export interface JvmBaseline {
  readonly jobManager: ProcessBaseline;
  readonly taskManager: ProcessBaseline;
}

const JVM_1_9: JvmBaseline = {
  jobManager: {
    liveHeapBytes: 26 * MB, heapCommittedBytes: 70 * MB, metaspaceBytes: 37 * MB, metaspacePerJobBytes: 6 * MB, codeBytes: 8 * MB, warmCodeBytes: 18 * MB,
    classes: 7_600, classesPerJob: 560, directCount: 33, directBytes: 50_925_562, startCpuMs: 6_800, startCollections: 5, startCollectionMs: 270,
  },
  taskManager: {
    liveHeapBytes: 16 * MB, heapCommittedBytes: 60 * MB, metaspaceBytes: 25 * MB, metaspacePerJobBytes: 9 * MB, codeBytes: 7 * MB, warmCodeBytes: 17 * MB,
    classes: 5_656, classesPerJob: 1_300, directCount: 14, directBytes: 536_578, startCpuMs: 3_680, startCollections: 2, startCollectionMs: 50,
  },
};

const JVM_1_13: JvmBaseline = {
  jobManager: {
    liveHeapBytes: 30 * MB, heapCommittedBytes: 74 * MB, metaspaceBytes: 43 * MB, metaspacePerJobBytes: 6 * MB, codeBytes: 11 * MB, warmCodeBytes: 21 * MB,
    classes: 9_200, classesPerJob: 740, directCount: 29, directBytes: 50_931_124, startCpuMs: 9_400, startCollections: 7, startCollectionMs: 420,
  },
  taskManager: {
    liveHeapBytes: 20 * MB, heapCommittedBytes: 77 * MB, metaspaceBytes: 33 * MB, metaspacePerJobBytes: 7 * MB, codeBytes: 12 * MB, warmCodeBytes: 20 * MB,
    classes: 6_730, classesPerJob: 1_380, directCount: 25, directBytes: 942_080, startCpuMs: 6_250, startCollections: 5, startCollectionMs: 323,
  },
};

const JVM_1_20: JvmBaseline = {
  jobManager: {
    liveHeapBytes: 34 * MB, heapCommittedBytes: 74 * MB, metaspaceBytes: 49 * MB, metaspacePerJobBytes: 6 * MB, codeBytes: 13 * MB, warmCodeBytes: 24 * MB,
    classes: 10_200, classesPerJob: 790, directCount: 14, directBytes: 16_799_844, startCpuMs: 9_800, startCollections: 8, startCollectionMs: 165,
  },
  taskManager: {
    liveHeapBytes: 22 * MB, heapCommittedBytes: 67 * MB, metaspaceBytes: 36 * MB, metaspacePerJobBytes: 9 * MB, codeBytes: 13 * MB, warmCodeBytes: 23 * MB,
    classes: 7_192, classesPerJob: 1_700, directCount: 12, directBytes: 8_790_017, startCpuMs: 5_310, startCollections: 7, startCollectionMs: 450,
  },
};

const JVM_2: JvmBaseline = {
  jobManager: {
    liveHeapBytes: 33 * MB, heapCommittedBytes: 67 * MB, metaspaceBytes: 55 * MB, metaspacePerJobBytes: 6 * MB, codeBytes: 14 * MB, warmCodeBytes: 25 * MB,
    classes: 11_400, classesPerJob: 930, directCount: 41, directBytes: 13_280_775, startCpuMs: 10_300, startCollections: 9, startCollectionMs: 330,
  },
  taskManager: {
    liveHeapBytes: 24 * MB, heapCommittedBytes: 70 * MB, metaspaceBytes: 40 * MB, metaspacePerJobBytes: 9 * MB, codeBytes: 14 * MB, warmCodeBytes: 25 * MB,
    classes: 8_072, classesPerJob: 1_820, directCount: 23, directBytes: 6_832_128, startCpuMs: 6_210, startCollections: 6, startCollectionMs: 211,
  },
};

export const JVM_BASELINE: ByVersion<JvmBaseline> = [
  ['1.9', JVM_1_9],
  ['1.13', JVM_1_13],
  ['1.18', JVM_1_20],
  ['2.0', JVM_2],
];

/** Collectors in the order in which the task manager's details list them (`All` since FLINK-33318). */
export const GARBAGE_COLLECTORS: ByVersion<readonly string[]> = [
  ['1.9', ['G1_Young_Generation', 'G1_Old_Generation']],
  ['1.19', ['All', 'G1_Young_Generation', 'G1_Old_Generation']],
];
