import urllib.error
import urllib.request

import pytest


def troubled_vertices(get) -> list[str]:
    """What is tested: names the vertices under high back pressure."""
    names = []
    for job in get("/jobs/overview")["jobs"]:
        for vertex in get(f"/jobs/{job['jid']}")["vertices"]:
            answer = get(f"/jobs/{job['jid']}/vertices/{vertex['id']}/backpressure")
            if answer.get("backpressure-level") == "high":
                names.append(vertex["name"])
    return names


def test_names_the_vertex_in_front_of_a_slow_sink(flink):
    flink.control("/events", {"setSinkCapacity": {"operator": "Database: Writer", "capacity": "50/s"}})
    flink.advance_until({"vertexLevel": {"vertex": "Enrich", "level": "high"}})
    troubled_vertices(flink.get)  # Flink fetches metrics when it is asked, and has them a moment later
    flink.control("/clock", {"advanceMs": 1000})
    assert "Enrich" in troubled_vertices(flink.get)


def test_sees_a_restart(flink):
    flink.control("/events", {"failSubtask": {"operator": "Enrich"}})
    flink.advance_until({"jobStatus": {"status": "RESTARTING"}})
    assert [job["state"] for job in flink.get("/jobs/overview")["jobs"]] == ["RESTARTING"]


def test_begins_where_every_test_begins(flink):
    assert [job["state"] for job in flink.get("/jobs/overview")["jobs"]] == ["RUNNING"]


def test_survives_an_answer_that_fails(flink):
    flink.control("/faults", {"path": "/jobs/overview", "times": 1, "error": {"status": 503}})
    with pytest.raises(urllib.error.HTTPError, match="503"):
        flink.get("/jobs/overview")
    assert len(flink.get("/jobs/overview")["jobs"]) == 1
