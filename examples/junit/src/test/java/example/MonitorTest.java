package example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MonitorTest {
  @RegisterExtension
  static final MockFlink flink = new MockFlink("slow-sink");

  /** What is tested: names the vertices under high back pressure. */
  private static List<String> troubledVertices() {
    List<String> names = new ArrayList<>();
    for (JsonNode job : flink.get("/jobs/overview").get("jobs")) {
      String path = "/jobs/" + job.get("jid").asText();
      for (JsonNode vertex : flink.get(path).get("vertices")) {
        JsonNode answer = flink.get(path + "/vertices/" + vertex.get("id").asText() + "/backpressure");
        if (answer.path("backpressure-level").asText().equals("high")) {
          names.add(vertex.get("name").asText());
        }
      }
    }
    return names;
  }

  @Test
  void namesTheVertexInFrontOfASlowSink() {
    flink.control("POST", "/events", "{\"setSinkCapacity\": {\"operator\": \"Database: Writer\", \"capacity\": \"50/s\"}}");
    flink.advanceUntil("{\"vertexLevel\": {\"vertex\": \"Enrich\", \"level\": \"high\"}}");
    troubledVertices(); // Flink fetches metrics when it is asked, and has them a moment later
    flink.control("POST", "/clock", "{\"advanceMs\": 1000}");
    assertTrue(troubledVertices().contains("Enrich"));
  }

  @Test
  void seesARestart() {
    flink.control("POST", "/events", "{\"failSubtask\": {\"operator\": \"Enrich\"}}");
    flink.advanceUntil("{\"jobStatus\": {\"status\": \"RESTARTING\"}}");
    assertEquals("RESTARTING", flink.get("/jobs/overview").get("jobs").get(0).get("state").asText());
  }

  @Test
  void survivesAnAnswerThatFails() {
    flink.control("POST", "/faults", "{\"path\": \"/jobs/overview\", \"times\": 1, \"error\": {\"status\": 503}}");
    assertThrows(IllegalStateException.class, () -> flink.get("/jobs/overview"));
    assertEquals(1, flink.get("/jobs/overview").get("jobs").size());
  }
}
