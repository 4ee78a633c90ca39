"""Calls flink-rest-client's methods. Those that it cannot do with a real cluster either (datasets to delete, rescale) are left out."""
import time

from flink_rest_client import FlinkRestClient

from values import VALUES, call

client = FlinkRestClient.get(host="127.0.0.1", port=VALUES["port"])
job = VALUES["jobid"]

call("overview", client.overview)
call("config", client.config)
call("datasets", client.datasets)
manager = client.jobmanager
call("jobmanager.config", manager.config)
logs = call("jobmanager.logs", manager.logs)
call("jobmanager.get_log", manager.get_log, logs[0]["name"])
call("jobmanager.metric_names", manager.metric_names)
call("jobmanager.metrics", manager.metrics)
task_managers = client.taskmanagers
call("taskmanagers.all", task_managers.all)
call("taskmanagers.metric_names", task_managers.metric_names)
call("taskmanagers.metrics", task_managers.metrics, taskmanager_ids=[VALUES["taskmanagerid"]])
for name in ("get", "get_logs", "get_metrics", "get_thread_dump"):
    call(f"taskmanagers.{name}", getattr(task_managers, name), VALUES["taskmanagerid"])
jobs = client.jobs
for name in ("all", "job_ids", "overview", "metric_names"):
    call(f"jobs.{name}", getattr(jobs, name))
call("jobs.metrics", jobs.metrics, metric_names=["uptime", "numRestarts"], job_ids=[job])
for name in ("get", "get_config", "get_exceptions", "get_metrics", "get_plan", "get_vertex_ids", "get_accumulators", "get_checkpointing_configuration", "get_checkpoints", "get_checkpoint_ids"):
    call(f"jobs.{name}", getattr(jobs, name), job)
call("jobs.get_checkpoint_details", jobs.get_checkpoint_details, job, VALUES["checkpointid"])
call("jobs.get_checkpoint_details with subtasks", jobs.get_checkpoint_details, job, VALUES["checkpointid"], show_subtasks=True)
vertex = jobs.get_vertex(job, VALUES["vertexid"])
for name in ("details", "backpressure", "metric_names", "metrics", "subtasktimes", "taskmanagers", "watermarks"):
    call(f"vertex.{name}", getattr(vertex, name))
subtasks = vertex.subtasks
for name in ("subtask_ids", "accumulators", "metric_names"):
    call(f"subtasks.{name}", getattr(subtasks, name))
call("subtasks.metrics", subtasks.metrics, subtask_ids=[0])
for name in ("get", "get_attempt", "get_attempt_accumulators"):
    call(f"subtasks.{name}", getattr(subtasks, name), 0)


def wait_for(name, trigger):
    for _ in range(100):
        status = trigger.status
        if status["status"]["id"] == "COMPLETED":
            print(f"{name} -> {'location' if 'location' in status['operation'] else status['operation']}")
            return
        time.sleep(0.1)


wait_for("savepoint", jobs.create_savepoint(job, VALUES["data"] + "/savepoints"))
wait_for("stop", jobs.stop(VALUES["toStop"], VALUES["data"] + "/savepoints"))
call("terminate", jobs.terminate, VALUES["toCancel"])
jars = client.jars
call("jars.all", jars.all)
jar = call("jars.upload", jars.upload, VALUES["jar"])["filename"].split("/")[-1]
call("jars.get_plan", jars.get_plan, jar)
started = call("jars.run", jars.run, jar)
call("terminate what runs from the manifest", jobs.terminate, started)
call("jars.delete", jars.delete, jar)
