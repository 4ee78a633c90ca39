// Calls the methods of github.com/flink-go/api. Arguments: address, job, job to stop, job to cancel, folder for savepoints, jar.
package main

import (
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/flink-go/api"
)

func report(name string, err error) {
	if err != nil {
		fmt.Printf("%s !! %s\n", name, strings.Split(err.Error(), "\n")[0])
		return
	}
	fmt.Printf("%s -> read\n", name)
}

func main() {
	address, job, toStop, toCancel, folder, jar := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5], os.Args[6]
	client, err := api.New(address)
	report("New", err)
	_, err = client.Config()
	report("Config", err)
	_, err = client.JobManagerConfig()
	report("JobManagerConfig", err)
	_, err = client.JobManagerMetrics()
	report("JobManagerMetrics", err)
	_, err = client.Jobs()
	report("Jobs", err)
	_, err = client.JobsOverview()
	report("JobsOverview", err)
	_, err = client.Job(job)
	report("Job", err)
	_, err = client.Checkpoints(job)
	report("Checkpoints", err)
	_, err = client.SavePoints(job, folder, false)
	report("SavePoints", err)
	_, err = client.StopJobWithSavepoint(toStop, folder, false)
	report("StopJobWithSavepoint", err)
	report("StopJob", client.StopJob(toCancel))
	uploaded, err := client.UploadJar(jar)
	report("UploadJar", err)
	_, err = client.Jars()
	report("Jars", err)
	id := path.Base(uploaded.FileName)
	_, err = client.PlanJar(id)
	report("PlanJar", err)
	report("DeleteJar", client.DeleteJar(id))
}
