"""Calls every GET function of flink-job-manager-api whose parameters are known, and four that change something."""
import importlib
import inspect
import pkgutil

from flink_job_manager_api import Client
from flink_job_manager_api.api import default
from flink_job_manager_api.models import SavepointTriggerRequestBody, StopWithSavepointRequestBody

from values import VALUES, call

client = Client(base_url=f"http://127.0.0.1:{VALUES['port']}/v1", raise_on_unexpected_status=True)
TRIGGERS = {"get_savepoint_status": "savepoint", "get_checkpoint_status": "checkpoint", "get_savepoint_disposal_status": "disposal"}

for info in sorted(pkgutil.iter_modules(default.__path__), key=lambda module: module.name):
    if not info.name.startswith("get_"):
        continue
    function = importlib.import_module(f"{default.__name__}.{info.name}").sync_detailed
    arguments = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "triggerid":
            arguments["triggerid"] = VALUES["triggers"].get(TRIGGERS.get(info.name))
        elif parameter.name == "subtaskindex" or parameter.default is inspect.Parameter.empty and parameter.name != "client":
            arguments[parameter.name] = VALUES.get(parameter.name)
    if any(value is None for value in arguments.values()):
        print(f"{info.name}: no value for {sorted(key for key, value in arguments.items() if value is None)}")
        continue
    call(info.name, lambda: function(client=client, **arguments).parsed)


def post(name, job, *body):
    function = importlib.import_module(f"{default.__name__}.{name}").sync_detailed
    call(name, lambda: function(job, client=client, **({"body": body[0]} if body else {})).parsed)


post("trigger_savepoint", VALUES["jobid"], SavepointTriggerRequestBody())
post("trigger_stop_with_savepoint", VALUES["toStop"], StopWithSavepointRequestBody())
post("cancel_job", VALUES["toCancel"])
