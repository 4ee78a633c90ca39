import java.lang.reflect.Constructor;
import java.util.concurrent.Executor;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.rest.RestClient;
import org.apache.flink.runtime.rest.RestClientConfiguration;

/** The RestClient's constructor took a RestClientConfiguration until it was given the options themselves. */
final class RestClients {
  private RestClients() {}

  static RestClient create(Configuration options, Executor executor) throws Exception {
    for (Constructor<?> constructor : RestClient.class.getConstructors()) {
      Class<?>[] types = constructor.getParameterTypes();
      if (types.length != 2 || !types[1].isAssignableFrom(executor.getClass()) && types[1] != Executor.class) continue;
      if (types[0] == RestClientConfiguration.class) return (RestClient) constructor.newInstance(RestClientConfiguration.fromConfiguration(options), executor);
      if (types[0].isInstance(options)) return (RestClient) constructor.newInstance(options, executor);
    }
    throw new IllegalStateException("no known constructor of RestClient");
  }
}
