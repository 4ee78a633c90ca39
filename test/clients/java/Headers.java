import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.rest.HttpMethodWrapper;
import org.apache.flink.runtime.rest.RestClient;
import org.apache.flink.runtime.rest.messages.EmptyRequestBody;
import org.apache.flink.runtime.rest.messages.MessageHeaders;
import org.apache.flink.runtime.rest.messages.MessageParameter;
import org.apache.flink.runtime.rest.messages.MessageParameters;
import org.apache.flink.runtime.rest.messages.MessagePathParameter;
import org.apache.flink.runtime.rest.messages.MessageQueryParameter;
import org.apache.flink.runtime.rest.util.RestMapperUtils;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JavaType;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JsonNode;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Sends every GET message class of the class path through Flink's own RestClient and, of each answer that comes back well, checks that Flink's strict mapper reads it and that
 * what was read, written back, is the text that was sent (numbers in the same form).
 *
 * <p>Arguments: port, a JSON file with an array of contexts (objects from parameter key to value). Output: a line per request,
 * `PASS url`, `ERROR status url first line of the message`, or `FAIL url what`.
 */
@SuppressWarnings({"unchecked", "rawtypes"})
public class Headers {
  private static final ObjectMapper PLAIN = new ObjectMapper();
  private static final int METRICS_ASKED = 6;
  /** In a context: part of the URL of the classes that it is for. */
  private static final String URL = "url";

  private final int port;
  private final RestClient client;
  private final Set<String> asked = new HashSet<>();

  private Headers(int port, ExecutorService executor) throws Exception {
    this.port = port;
    this.client = RestClients.create(new Configuration(), executor);
  }

  public static void main(String[] args) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(2);
    Headers run = new Headers(Integer.parseInt(args[0]), executor);
    List<Map<String, String>> contexts = new ArrayList<>();
    for (JsonNode node : PLAIN.readTree(Files.readAllBytes(Paths.get(args[1])))) {
      Map<String, String> context = new LinkedHashMap<>();
      for (Iterator<String> keys = node.fieldNames(); keys.hasNext(); ) {
        String key = keys.next();
        context.put(key, node.get(key).asText());
      }
      contexts.add(context);
    }
    Collection<MessageHeaders> all = messageClasses();
    for (MessageHeaders headers : all) {
      Set<String> needed = new HashSet<>();
      for (Object parameter : headers.getUnresolvedMessageParameters().getPathParameters()) needed.add(((MessagePathParameter) parameter).getKey());
      boolean sent = false;
      for (Map<String, String> context : contexts) {
        if (!context.keySet().containsAll(needed)) continue;
        // a context belongs to the classes that need all of it: a job's to those of a job, not of the cluster
        if (context.size() != needed.size() + (context.containsKey(URL) ? 1 : 0)) continue;
        if (!headers.getTargetRestEndpointURL().contains(context.getOrDefault(URL, ""))) continue;
        sent = true;
        run.askAllForms(headers, context);
      }
      if (!sent) System.out.println("UNSENT " + headers.getClass().getSimpleName() + " " + headers.getTargetRestEndpointURL());
    }
    executor.shutdownNow();
    System.exit(0);
  }

  /** One instance of every class with a GET message, by URL. */
  private static Collection<MessageHeaders> messageClasses() throws Exception {
    Map<String, MessageHeaders> found = new TreeMap<>();
    for (String path : System.getProperty("java.class.path").split(":")) {
      if (!path.matches(".*/flink-(runtime|clients|runtime-web|dist)[^/]*\\.jar")) continue;
      try (JarFile jar = new JarFile(path)) {
        for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
          String name = entries.nextElement().getName();
          if (!name.startsWith("org/apache/flink/runtime/") || !name.endsWith("Headers.class")) continue;
          Class<?> type = Class.forName(name.substring(0, name.length() - 6).replace('/', '.'), false, Headers.class.getClassLoader());
          if (!MessageHeaders.class.isAssignableFrom(type) || Modifier.isAbstract(type.getModifiers())) continue;
          MessageHeaders headers = (MessageHeaders) instance(type);
          if (headers.getHttpMethod() == HttpMethodWrapper.GET) found.put(headers.getTargetRestEndpointURL() + " " + type.getName(), headers);
        }
      }
    }
    return found.values();
  }

  private static Object instance(Class<?> type) throws Exception {
    for (Method method : type.getDeclaredMethods()) {
      if (Modifier.isStatic(method.getModifiers()) && method.getParameterCount() == 0 && method.getReturnType() == type) {
        method.setAccessible(true);
        return method.invoke(null);
      }
    }
    for (Field field : type.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == type) {
        field.setAccessible(true);
        return field.get(null);
      }
    }
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  /** The request without query, and with those query parameters that the class has. */
  private void askAllForms(MessageHeaders headers, Map<String, String> context) throws Exception {
    JsonNode plain = ask(headers, context, new HashMap<>());
    Set<String> queries = new HashSet<>();
    for (Object parameter : headers.getUnresolvedMessageParameters().getQueryParameters()) queries.add(((MessageQueryParameter) parameter).getKey());
    if (queries.contains("get") && plain != null && plain.isArray() && plain.size() > 0) {
      List<String> names = new ArrayList<>();
      for (JsonNode metric : plain) if (names.size() < METRICS_ASKED) names.add(metric.get("id").asText());
      ask(headers, context, query("get", String.join(",", names)));
      if (queries.contains("agg")) {
        Map<String, String> aggregated = query("get", names.get(0));
        aggregated.put("agg", "min,max,sum,avg");
        ask(headers, context, aggregated);
      }
    }
    if (queries.contains("type")) for (String type : new String[] {"full", "on_cpu", "off_cpu"}) ask(headers, context, query("type", type));
    if (queries.contains("maxExceptions")) ask(headers, context, query("maxExceptions", "5"));
    if (queries.contains("includeSerializedValue")) ask(headers, context, query("includeSerializedValue", "true"));
  }

  private static Map<String, String> query(String key, String value) {
    Map<String, String> query = new LinkedHashMap<>();
    query.put(key, value);
    return query;
  }

  private JsonNode ask(MessageHeaders headers, Map<String, String> context, Map<String, String> query) throws Exception {
    MessageParameters parameters = headers.getUnresolvedMessageParameters();
    for (Object parameter : parameters.getPathParameters()) resolve((MessageParameter) parameter, context);
    for (Object parameter : parameters.getQueryParameters()) resolve((MessageParameter) parameter, query);
    String url = "/v1" + MessageParameters.resolveUrl(headers.getTargetRestEndpointURL(), parameters);
    if (!asked.add(headers.getClass().getName() + url)) return null;
    try {
      CompletableFuture<?> future = client.sendRequest("127.0.0.1", port, headers, parameters, EmptyRequestBody.getInstance());
      Object answer = future.get(30, TimeUnit.SECONDS);
      String raw = get(url);
      String different = compare(headers, answer, raw);
      System.out.println(different == null ? (strictly(headers, raw).equals(raw) ? "PASS " + url : "FAIL " + url + " the order of keys is not Flink's") : "FAIL " + url + " " + different);
      return PLAIN.readTree(raw);
    } catch (ExecutionException failure) {
      Throwable cause = failure.getCause();
      String status = String.valueOf(statusOf(cause));
      System.out.println(("null".equals(status) ? "FAIL " + url + " " + cause : "ERROR " + status + " " + url + " " + cause.getMessage()).replaceAll("(?s)[\r\n].*", ""));
    } catch (Exception failure) {
      System.out.println(("FAIL " + url + " " + failure).replaceAll("(?s)[\r\n].*", ""));
    }
    return null;
  }

  private static void resolve(MessageParameter parameter, Map<String, String> values) throws Exception {
    String value = values.get(parameter.getKey());
    if (value != null) parameter.resolveFromString(value);
  }

  /** What differs between the text, and what each of the mappers makes of it, written back; null when nothing does. */
  private static String compare(MessageHeaders headers, Object answer, String raw) throws Exception {
    String read = strictly(headers, raw);
    String ofClient = RestMapperUtils.getStrictObjectMapper().writeValueAsString(answer);
    JsonNode expected = PLAIN.readTree(raw);
    String different = difference("", expected, PLAIN.readTree(read));
    // each plan of a jar has a job id of its own
    if (different != null || headers.getTargetRestEndpointURL().startsWith("/jars/")) return different;
    return difference("", expected, PLAIN.readTree(ofClient));
  }

  /** The text read by the strict mapper into the response class, and written back. */
  private static String strictly(MessageHeaders headers, String raw) throws Exception {
    ObjectMapper strict = RestMapperUtils.getStrictObjectMapper();
    Class<?>[] typeParameters = ((Collection<Class<?>>) headers.getResponseTypeParameters()).toArray(new Class<?>[0]);
    JavaType type = typeParameters.length == 0
        ? strict.getTypeFactory().constructType(headers.getResponseClass())
        : strict.getTypeFactory().constructParametricType(headers.getResponseClass(), typeParameters);
    return strict.writeValueAsString((Object) strict.readValue(raw, type));
  }

  /** Where two trees part; 1 and 1.0 differ. */
  private static String difference(String at, JsonNode sent, JsonNode back) {
    if (sent.isObject() && back.isObject()) {
      Set<String> keys = new java.util.TreeSet<>();
      sent.fieldNames().forEachRemaining(keys::add);
      back.fieldNames().forEachRemaining(keys::add);
      for (String key : keys) {
        if (!sent.has(key)) return at + "/" + key + " is missing";
        if (!back.has(key)) return at + "/" + key + " is not Flink's";
        String inner = difference(at + "/" + key, sent.get(key), back.get(key));
        if (inner != null) return inner;
      }
      return null;
    }
    if (sent.isArray() && back.isArray() && sent.size() == back.size()) {
      for (int i = 0; i < sent.size(); i++) {
        String inner = difference(at + "/" + i, sent.get(i), back.get(i));
        if (inner != null) return inner;
      }
      return null;
    }
    return sent.equals(back) ? null : at + " was " + cut(sent) + ", written back " + cut(back);
  }

  private static String cut(JsonNode node) {
    String text = node.toString();
    return text.length() > 200 ? text.substring(0, 200) + "…" : text;
  }

  private String get(String url) throws Exception {
    HttpURLConnection connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + port + url).toURL().openConnection();
    try (InputStream in = connection.getInputStream()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] buffer = new byte[8192];
      for (int n; (n = in.read(buffer)) > 0; ) out.write(buffer, 0, n);
      return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
  }

  private static Object statusOf(Throwable cause) {
    try {
      Method method = cause.getClass().getMethod("getHttpResponseStatus");
      Object status = method.invoke(cause);
      return status.getClass().getMethod("code").invoke(status);
    } catch (ReflectiveOperationException none) {
      return null;
    }
  }
}
