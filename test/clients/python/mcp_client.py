"""Starts flink-mcp-server as an MCP client does, over standard input and output, and calls its tools."""
import asyncio
import json
import os
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from values import VALUES

JOB = {"job_id": VALUES["jobid"]}
CALLS = [
    ("list_clusters", {}), ("cluster_overview", {}), ("list_jobs", {}), ("job_details", JOB), ("job_exceptions", JOB), ("checkpoint_stats", JOB), ("backpressure", JOB),
    ("list_savepoints", JOB), ("job_timeline", JOB), ("diagnose_job", JOB), ("taskmanagers", {}), ("list_log_files", {}), ("job_metrics", JOB),
    ("job_metrics", {**JOB, "names": ["uptime"]}), ("list_jars", {}), ("cluster_config", {}), ("job_config", JOB), ("diagnose_job", {"job_id": VALUES["failed"]}), ("fleet_overview", {}),
]


async def main():
    program = os.path.join(os.path.dirname(sys.executable), "flink-mcp-server")
    parameters = StdioServerParameters(command=program, env={**os.environ, "FLINK_REST_URL": f"http://127.0.0.1:{VALUES['port']}"})
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        for name, arguments in CALLS:
            answer = await session.call_tool(name, arguments)
            text = " ".join(block.text for block in answer.content if block.type == "text")
            print(f"{name} {json.dumps(sorted(arguments))} {'!! ' + text.splitlines()[0] if answer.isError else '-> ' + str(len(text) > 2)}")


asyncio.run(main())
