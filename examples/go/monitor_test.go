package monitor

import "testing"

func TestNamesAJobThatRestartsUntilItRunsAgain(t *testing.T) {
	flink := startMockFlink(t, "slow-sink")
	expect(t, flink, 0)
	control(t, flink, "/events", map[string]any{"failSubtask": map[string]any{"operator": "Enrich"}})
	control(t, flink, "/clock", map[string]any{"until": map[string]any{"jobStatus": map[string]any{"status": "RESTARTING"}}})
	expect(t, flink, 1)
	control(t, flink, "/clock", map[string]any{"until": map[string]any{"allTasksRunning": map[string]any{}}})
	expect(t, flink, 0)
}

func TestTellsWhatFlinkAnswers(t *testing.T) {
	flink := startMockFlink(t, "healthy")
	control(t, flink, "/faults", map[string]any{"path": "/jobs/overview", "error": map[string]any{"status": 502}})
	if _, err := TroubledJobs(flink); err == nil || err.Error() != "Flink answers 502" {
		t.Fatalf("found %v", err)
	}
}

func expect(t *testing.T, flink string, count int) {
	t.Helper()
	names, err := TroubledJobs(flink)
	if err != nil || len(names) != count {
		t.Fatalf("found %v, %v; expected %d", names, err, count)
	}
}
