package example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A simulated Flink cluster for a test class: started before its tests, set back before each of them. It is the one at the address in
 * FLINK_ADDRESS where that is set, such as a container's, and otherwise {@code mock-flink} as a process of its own.
 */
final class MockFlink implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");

  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http = HttpClient.newHttpClient();
  private final String scenario;
  private Process process;
  private String url;

  MockFlink(String scenario) {
    this.scenario = scenario;
  }

  String url() {
    return url;
  }

  JsonNode get(String path) {
    return send(HttpRequest.newBuilder(URI.create(url + path)).build());
  }

  /** Asks the control API. */
  JsonNode control(String method, String path, String body) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/_mock" + path)).header("content-type", "application/json");
    return send(request.method(method, HttpRequest.BodyPublishers.ofString(body)).build());
  }

  void advanceUntil(String condition) {
    if (!control("POST", "/clock", "{\"until\": " + condition + "}").get("met").asBoolean()) {
      throw new AssertionError(condition + " did not come true within an hour of virtual time");
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    url = System.getenv("FLINK_ADDRESS");
    if (url != null) {
      return;
    }
    ProcessBuilder command = new ProcessBuilder("mock-flink", "serve", "--scenario", scenario, "--clock", "manual", "--port", "0");
    process = command.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    for (String line = process.inputReader().readLine(); url == null; line = process.inputReader().readLine()) {
      if (line == null) {
        throw new IOException("mock-flink ended before it said where it listens");
      }
      Matcher found = ADDRESS.matcher(line);
      url = found.find() ? found.group() : null;
    }
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    control("POST", "/reset", "{}");
    control("DELETE", "/faults", "{}");
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (process != null) {
      process.destroy();
    }
  }

  private JsonNode send(HttpRequest request) {
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() >= 300) {
        throw new IllegalStateException(request.uri() + ": " + response.statusCode() + " " + response.body());
      }
      return json.readTree(response.body());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
