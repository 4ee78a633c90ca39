"""Starts mock-flink once for all tests; each test gets it as it was at the start."""

import json
import os
import re
import shutil
import subprocess
import urllib.request

import pytest


class MockFlink:
    def __init__(self, url: str) -> None:
        self.url = url

    def get(self, path: str):
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return json.load(answer)

    def control(self, path: str, body: dict, method: str = "POST"):
        """Asks the control API: docs/control-api.md."""
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"{self.url}/_mock{path}", json.dumps(body).encode(), headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def advance_until(self, condition: dict) -> None:
        answer = self.control("/clock", {"until": condition})
        assert answer["met"], f"{condition} did not come true within an hour of virtual time"


@pytest.fixture(scope="session")
def mock_flink_process():
    command = shutil.which("mock-flink")
    if command is None:
        pytest.fail("mock-flink is not on the PATH: npm install --global mock-flink")
    arguments = [command, "serve", "--scenario", "slow-sink", "--clock", "manual", "--port", "0"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MOCK_FLINK_")}
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=environment) as process:
        for line in process.stdout:
            if found := re.search(r"(http://127\.0\.0\.1:\d+)/", line):
                yield found[1]
                break
        else:
            pytest.fail("mock-flink ended before it said where it listens")
        process.terminate()


@pytest.fixture
def flink(mock_flink_process):
    cluster = MockFlink(mock_flink_process)
    cluster.control("/reset", {})
    cluster.control("/faults", {}, method="DELETE")
    return cluster
