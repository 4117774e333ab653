"""The modern Python client: load, commands to every node, variables, names, programs, the event stream cut and back."""

import asyncio

from pyisyox import Controller, LocalAuth, PortalAuth

from checks import LOCAL, LOCAL_PORT, OWNER, PORTAL, Checks

LAMP = "1A 2B 3C 1"
THERMOSTAT = "15 E 20 1"
SKIPPED = {"QUERY", "WDU", "CONFIG", "REMOVE", "DISCOVER"}


async def main():
    checks = Checks()
    controller = Controller(PORTAL, PortalAuth(*OWNER))
    await controller.connect()
    nodes = controller.nodes
    checks.check("it loads nodes", len(nodes) > 30, len(nodes))
    checks.check("it loads programs", len(controller.programs) > 5, len(controller.programs))
    checks.check("it loads scenes", len(controller.groups) > 2, len(controller.groups))
    checks.check("it loads variables", any(controller.variables.values()), controller.variables)
    await checks.becomes("the stream is connected", lambda: controller.connected, True)

    for address, node in nodes.items():
        nodedef = node._nodedef
        checks.check(f"{address} has a nodedef", nodedef is not None, node.name)
        for command in nodedef.cmds.accepts if nodedef else ():
            if command.id in SKIPPED or command.parameters:
                continue
            await checks.attempt(f"{address} {command.id}", node.send_command(command.id))

    lamp = nodes[LAMP]
    for level in (30, 80, 0):
        await checks.attempt(f"the lamp goes to {level} %", lamp.send_command("DON" if level else "DOF", *([level] if level else [])))
        # The library converts raw bytes to percent.
        await checks.becomes(f"the lamp reports {level} %", lambda: int(lamp.status.value), level)
    thermostat = nodes[THERMOSTAT]
    await checks.attempt("a set-point", thermostat.set_climate_setpoint_heat(66.5))
    await checks.becomes("the set-point is reported", lambda: int(thermostat.properties["CLISPH"].value), 133)

    for type_id, variables in controller.variables.items():
        for variable_id, variable in list(variables.items())[:2]:
            name = f"variable {type_id}.{variable_id}"
            await checks.attempt(name, controller.set_variable_value(type_id, variable_id, 7))
            raw = 7 * 10 ** int(getattr(variable, "precision", 0) or 0)
            await checks.becomes(f"{name} is 7", lambda t=type_id, v=variable_id: controller.variables[t][v].value in (7, raw), True)
    await checks.attempt("a node is renamed", controller.rename_node(LAMP, "Peer Lamp"))
    await checks.attempt("a refresh", controller.refresh())
    await checks.becomes("the new name is known", lambda: controller.nodes[LAMP].name, "Peer Lamp")
    await checks.attempt("and back", controller.rename_node(LAMP, "Hall Ceiling"))
    # A refresh replaces the library's records.
    lamp = controller.nodes[LAMP]
    stream = controller.websocket
    socket = getattr(stream, "_ws", None)
    if socket is not None:
        await socket.close()
    await checks.attempt("a command after the stream was cut", lamp.send_command("DON", 50))
    await checks.becomes("the stream is back, with the value", lambda: int(lamp.status.value), 50, 60)
    for program_id in list(controller.programs)[:3]:
        for command in ("runIf", "stop"):
            await checks.attempt(f"program {program_id} {command}", controller.send_program_command(program_id, command))
    await checks.attempt("refresh", controller.refresh())
    await controller.stop()

    local = Controller(f"https://127.0.0.1:{LOCAL_PORT}", LocalAuth(*LOCAL))
    try:
        await local.connect(start_websocket=False)
        checks.check("the local listener without /api refuses it", False, "it loaded")
    except Exception as error:  # The client names the path that is missing.
        checks.check("the local listener without /api refuses it", "404" in str(error), error)
    await local.stop()
    checks.finish()


asyncio.run(main())
