// Package monitor watches a Flink cluster through its REST API.
package monitor

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// TroubledJobs names the jobs that do not run.
func TroubledJobs(flink string) ([]string, error) {
	response, err := http.Get(flink + "/jobs/overview")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("Flink answers %d", response.StatusCode)
	}
	var overview struct {
		Jobs []struct{ Name, State string }
	}
	if err := json.NewDecoder(response.Body).Decode(&overview); err != nil {
		return nil, err
	}
	var names []string
	for _, job := range overview.Jobs {
		if job.State != "RUNNING" {
			names = append(names, job.Name)
		}
	}
	return names, nil
}
