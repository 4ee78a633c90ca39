import { valueIn, type ByVersion, type FlinkVersion } from '../../versions/flink-versions.js';
import { SELF, writeJavaObject, type ArrayValue, type ClassDescription, type JavaValue, type ObjectValue } from './java-object-writer.js';
import { parseStackTrace, printStackTrace, type JavaThrowable } from './java-stack-trace.js';

/** What Flink's SerializedThrowableSerializer writes. */
export interface SerializedThrowableBody {
  readonly class: string;
  readonly 'stack-trace': string;
  /** Base64 of a Java-serialized SerializedThrowable. */
  readonly 'serialized-throwable': string;
}

/** getMessage of a SerializedThrowable names the original class (FLINK-28134). */
const MESSAGE_NAMES_CLASS: ByVersion<boolean> = [
  ['1.9', false],
  ['1.16', true],
];

const STRING = 'Ljava/lang/String;';
const THROWABLE: ClassDescription = {
  name: 'java.lang.Throwable',
  serialVersionUid: -3042686055658047285n,
  hasWriteMethod: true,
  fields: [
    { name: 'cause', type: 'Ljava/lang/Throwable;' },
    { name: 'detailMessage', type: STRING },
    { name: 'stackTrace', type: '[Ljava/lang/StackTraceElement;' },
    { name: 'suppressedExceptions', type: 'Ljava/util/List;' },
  ],
  parent: null,
};
const plain = (name: string, serialVersionUid: bigint, parent: ClassDescription): ClassDescription => ({ name, serialVersionUid, hasWriteMethod: false, fields: [], parent });
const EXCEPTION = plain('java.lang.Exception', -3387516993124229948n, THROWABLE);
const RUNTIME_EXCEPTION = plain('java.lang.RuntimeException', -7034897190745766939n, EXCEPTION);
const IO_EXCEPTION = plain('java.io.IOException', 7818375828146090155n, EXCEPTION);
const FLINK_EXCEPTION = plain('org.apache.flink.util.FlinkException', 450688772469004724n, EXCEPTION);

/** Exceptions that can be written themselves; of any other one only the description travels, as when Flink cannot serialize it. */
const SERIALIZABLE = new Map(
  [
    EXCEPTION,
    RUNTIME_EXCEPTION,
    IO_EXCEPTION,
    FLINK_EXCEPTION,
    plain('java.io.FileNotFoundException', -897856973823710492n, IO_EXCEPTION),
    plain('java.util.concurrent.CompletionException', 7830266012832686185n, RUNTIME_EXCEPTION),
    plain('java.lang.IllegalStateException', -1848914673093119416n, RUNTIME_EXCEPTION),
    plain('java.lang.IllegalArgumentException', -5365630128856068164n, RUNTIME_EXCEPTION),
    plain('java.lang.NullPointerException', 5162710183389028792n, RUNTIME_EXCEPTION),
    plain('java.lang.UnsupportedOperationException', -1242599979055084673n, RUNTIME_EXCEPTION),
    plain('java.util.concurrent.TimeoutException', 1900926677490660714n, EXCEPTION),
    plain('org.apache.flink.util.FlinkRuntimeException', 193141189399279147n, RUNTIME_EXCEPTION),
    plain('org.apache.flink.runtime.JobException', 1275864691743020176n, FLINK_EXCEPTION),
    plain('org.apache.flink.runtime.messages.FlinkJobNotFoundException', 2294698055059659025n, FLINK_EXCEPTION),
  ].map((description) => [description.name, description]),
);

const SERIALIZED_THROWABLE: ClassDescription = {
  name: 'org.apache.flink.util.SerializedThrowable',
  serialVersionUid: 7284183123441947635n,
  hasWriteMethod: false,
  fields: [
    { name: 'fullStringifiedStackTrace', type: STRING },
    { name: 'originalErrorClassName', type: STRING },
    { name: 'serializedException', type: '[B' },
  ],
  parent: EXCEPTION,
};
const STACK_TRACE_ELEMENT: ClassDescription = {
  name: 'java.lang.StackTraceElement',
  serialVersionUid: 6992337162326171013n,
  hasWriteMethod: false,
  fields: [
    { name: 'format', type: 'B' },
    { name: 'lineNumber', type: 'I' },
    { name: 'classLoaderName', type: STRING },
    { name: 'declaringClass', type: STRING },
    { name: 'fileName', type: STRING },
    { name: 'methodName', type: STRING },
    { name: 'moduleName', type: STRING },
    { name: 'moduleVersion', type: STRING },
  ],
  parent: null,
};
const STACK_TRACE: ClassDescription = plainArray('[Ljava.lang.StackTraceElement;', 0x02462a3c3cfd2239n);
const BYTES: ClassDescription = plainArray('[B', -5984413125824719648n);
const EMPTY_LIST: ClassDescription = { name: 'java.util.Collections$EmptyList', serialVersionUid: 8842843931221139166n, hasWriteMethod: false, fields: [], parent: null };

function plainArray(name: string, serialVersionUid: bigint): ClassDescription {
  return { name, serialVersionUid, hasWriteMethod: false, fields: [], parent: null };
}

/** StackTraceElement.format: class loader, or loader and module, left out in print. */
const BUILT_IN_LOADER = 1;
const JDK_MODULE = 2;
const JAVA_VERSION = '17.0.15';
const NATIVE_METHOD_LINE = -2;

/** One line of a stack trace, such as `java.base/java.lang.Thread.run(Thread.java:840)`. */
function stackTraceElement(frame: string): ObjectValue {
  const match = /^(?:app\/+)?(?:([\w.]+)(?:@([\w.+-]+))?\/)?(.+)\.([^.(]+)\((?:([^:)]+)(?::(\d+))?)?\)$/.exec(frame);
  const [, module = null, , declaringClass = frame, methodName = 'unknown', file = null, line] = match ?? [];
  const unknownFile = file === 'Unknown Source' || file === 'Native Method' || file === null;
  return {
    description: STACK_TRACE_ELEMENT,
    fields: {
      format: module === null ? BUILT_IN_LOADER : JDK_MODULE,
      lineNumber: line !== undefined ? Number(line) : file === 'Native Method' ? NATIVE_METHOD_LINE : -1,
      classLoaderName: module === null ? 'app' : null,
      declaringClass,
      fileName: unknownFile ? null : file,
      methodName,
      moduleName: module,
      moduleVersion: module === null ? null : JAVA_VERSION,
    },
  };
}

const stackTraceArray = (throwable: JavaThrowable): ArrayValue => ({ description: STACK_TRACE, items: throwable.frames.map(stackTraceElement) });

/** The exception itself; null where it or a cause of it is of a class that is not described here. */
function originalException(throwable: JavaThrowable, emptyList: ObjectValue): ObjectValue | null {
  const description = SERIALIZABLE.get(throwable.className);
  if (!description) return null;
  let cause: JavaValue = SELF;
  if (throwable.cause) {
    cause = originalException(throwable.cause, emptyList);
    if (cause === null) return null;
  }
  return { description, fields: { cause, detailMessage: throwable.message, stackTrace: stackTraceArray(throwable), suppressedExceptions: emptyList } };
}

function serializedThrowable(throwable: JavaThrowable, messageNamesClass: boolean, emptyList: ObjectValue): ObjectValue {
  const original = originalException(throwable, { description: EMPTY_LIST, fields: {} });
  return {
    description: SERIALIZED_THROWABLE,
    fields: {
      cause: throwable.cause ? serializedThrowable(throwable.cause, messageNamesClass, emptyList) : null,
      detailMessage: messageNamesClass ? `${throwable.className}: ${throwable.message ?? 'null'}` : throwable.message,
      stackTrace: stackTraceArray(throwable),
      suppressedExceptions: emptyList,
      fullStringifiedStackTrace: printStackTrace(throwable),
      originalErrorClassName: throwable.className,
      serializedException: original ? { description: BYTES, items: writeJavaObject(original) } : null,
    },
  };
}

/** The failure of an operation as Flink sends it, from its printed stack trace. */
export function serializeThrowable(stackTrace: string, version: FlinkVersion): SerializedThrowableBody {
  const throwable = parseStackTrace(stackTrace);
  const value = serializedThrowable(throwable, valueIn(MESSAGE_NAMES_CLASS, version), { description: EMPTY_LIST, fields: {} });
  return { class: throwable.className, 'stack-trace': printStackTrace(throwable), 'serialized-throwable': writeJavaObject(value).toString('base64') };
}
