import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;
import org.apache.flink.client.cli.CliFrontend;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;

/**
 * The `flink` command line, many commands in one JVM (its start would take most of the time). Each line of the standard input is a command, its words in base64, separated by
 * spaces; each is answered by a line `code output errors`, the latter two in base64.
 */
public class CommandLine {
  public static void main(String[] args) throws Exception {
    PrintStream out = System.out;
    String folder = CliFrontend.getConfigurationDirectoryFromEnv();
    Configuration options = GlobalConfiguration.loadConfiguration(folder);
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = commands.readLine()) != null; ) {
      String[] words = Arrays.stream(line.split(" ")).map(word -> new String(Base64.getDecoder().decode(word), StandardCharsets.UTF_8)).collect(Collectors.toList()).toArray(new String[0]);
      ByteArrayOutputStream output = new ByteArrayOutputStream();
      ByteArrayOutputStream errors = new ByteArrayOutputStream();
      System.setOut(new PrintStream(output, true, "UTF-8"));
      System.setErr(new PrintStream(errors, true, "UTF-8"));
      int code = run(new CliFrontend(options, CliFrontend.loadCustomCommandLines(options, folder)), words);
      out.println(code + " ." + Base64.getEncoder().encodeToString(output.toByteArray()) + " ." + Base64.getEncoder().encodeToString(errors.toByteArray()));
      out.flush();
    }
    System.exit(0);
  }

  /** The method was called parseParameters until 1.12. */
  private static int run(CliFrontend frontend, String[] words) throws Exception {
    for (Method method : CliFrontend.class.getMethods())
      if (method.getName().equals("parseAndRun") || method.getName().equals("parseParameters")) return (int) method.invoke(frontend, (Object) words);
    throw new IllegalStateException("no known method of CliFrontend");
  }
}
