import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.flink.client.deployment.StandaloneClusterId;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.runtime.client.JobStatusMessage;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.rest.messages.job.JobDetailsInfo;
import org.apache.flink.util.SerializedThrowable;

/**
 * Calls methods of Flink's own RestClusterClient, one after the other, with the options of FLINK_CONF_DIR where that is set. Arguments: port, then steps such as `triggerSavepoint JOB CANONICAL`, `stopWithSavepoint JOB false`,
 * `disposeSavepoint PATH` (`last`: the savepoint taken last). Output: a line per step, `step -> value` or `step !! classes and first lines of the messages of the causes`.
 */
@SuppressWarnings({"unchecked", "rawtypes"})
public class ClusterClient {
  public static void main(String[] args) throws Exception {
    Configuration options = System.getenv("FLINK_CONF_DIR") == null ? new Configuration() : GlobalConfiguration.loadConfiguration();
    options.setString("jobmanager.rpc.address", "127.0.0.1");
    options.setString("rest.address", "127.0.0.1");
    options.setString("rest.port", args[0]);
    RestClusterClient<StandaloneClusterId> client = new RestClusterClient<>(options, StandaloneClusterId.getInstance());
    String savepoint = null;
    for (String step : Arrays.copyOfRange(args, 1, args.length)) {
      String[] words = step.split(" ");
      try {
        Object value = call(client, words, savepoint);
        if (words[0].endsWith("Savepoint") && value instanceof String) savepoint = (String) value;
        System.out.println(step + " -> " + text(value));
      } catch (Throwable failure) {
        System.out.println(step + " !! " + causes(failure));
      }
    }
    System.out.flush();
    System.exit(0);
  }

  private static Object call(RestClusterClient client, String[] words, String savepoint) throws Throwable {
    for (Method method : RestClusterClient.class.getMethods()) {
      Object[] values = method.getName().equals(words[0]) ? arguments(method.getParameterTypes(), words, savepoint) : null;
      if (values == null) continue;
      try {
        Object value = method.invoke(client, values);
        return value instanceof CompletableFuture ? ((CompletableFuture<?>) value).get(60, TimeUnit.SECONDS) : value;
      } catch (InvocationTargetException | ExecutionException wrapped) {
        throw wrapped.getCause();
      }
    }
    return "no such method";
  }

  /** The words as values of these types; null when they do not fit. Strings that are no word are null (the default directory). */
  private static Object[] arguments(Class<?>[] types, String[] words, String savepoint) {
    List<Object> values = new ArrayList<>();
    List<String> left = new ArrayList<>(Arrays.asList(words).subList(1, words.length));
    for (Class<?> type : types) {
      if (type == ClassLoader.class) values.add(ClusterClient.class.getClassLoader());
      else if (type == JobID.class) values.add(JobID.fromHexString(left.remove(0)));
      else if (type == boolean.class) {
        if (left.isEmpty()) return null;
        values.add(Boolean.valueOf(left.remove(0)));
      } else if (type.isEnum()) values.add(Enum.valueOf((Class<Enum>) type, left.remove(0)));
      else if (type == String.class && words[0].equals("disposeSavepoint")) values.add("last".equals(words[1]) ? savepoint : words[1]);
      else if (type == String.class) values.add(null);
      else return null;
    }
    return values.toArray();
  }

  private static String text(Object value) {
    if (value instanceof Collection) {
      Map<String, String> jobs = new TreeMap<>();
      for (Object entry : (Collection<?>) value) {
        JobStatusMessage message = (JobStatusMessage) entry;
        jobs.put(message.getJobName(), message.getJobId() + " " + message.getJobState());
      }
      return jobs.toString();
    }
    if (value instanceof JobDetailsInfo) {
      JobDetailsInfo details = (JobDetailsInfo) value;
      return details.getName() + " " + details.getJobStatus() + " " + details.getJobVertexInfos().size() + " vertices";
    }
    if (value instanceof JobResult) {
      JobResult result = (JobResult) value;
      return result.getJobId() + (result.isSuccess() ? " succeeded" : " did not succeed") + (result.getSerializedThrowable().isPresent() ? " " + causes(result.getSerializedThrowable().get()) : "");
    }
    return value == null ? "nothing" : value.getClass().getName().endsWith("Acknowledge") ? "acknowledged" : String.valueOf(value);
  }

  /** Classes and first lines of a throwable and its causes; what came over the wire is deserialized. */
  private static String causes(Throwable failure) {
    StringBuilder text = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ExecutionException || cause instanceof CompletionException && cause.getCause() != null) continue;
      Throwable shown = cause instanceof SerializedThrowable ? ((SerializedThrowable) cause).deserializeError(ClusterClient.class.getClassLoader()) : cause;
      if (text.length() > 0) text.append(" <- ");
      String message = String.valueOf(shown.getMessage());
      text.append(cause instanceof SerializedThrowable ? "(serialized) " : "").append(shown.getClass().getName()).append(": ").append(message.split("\n")[0]);
    }
    return text.toString();
  }
}
