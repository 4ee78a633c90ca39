package monitor

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os/exec"
	"regexp"
	"testing"
)

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// startMockFlink starts a cluster with a clock that stands still; it ends with the test.
func startMockFlink(t *testing.T, scenario string) string {
	t.Helper()
	command := exec.Command("mock-flink", "serve", "--scenario", scenario, "--clock", "manual", "--port", "0")
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatalf("%v: npm install --global mock-flink", err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if url := address.FindString(lines.Text()); url != "" {
			return url
		}
	}
	t.Fatal("mock-flink ended before it said where it listens")
	return ""
}

// control asks the control API and reads its answer.
func control(t *testing.T, url, path string, body any) map[string]any {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.Post(url+"/_mock"+path, "application/json", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer := map[string]any{}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil || response.StatusCode >= 300 {
		t.Fatalf("%s: %d %v", path, response.StatusCode, answer)
	}
	return answer
}
