"""The library pyinsteon against the simulated Insteon modem: it accepts modem and devices as real ones."""

import asyncio
import os
import subprocess

from checks import Checks
from pyinsteon import async_close, async_connect, devices
from pyinsteon.managers.scene_manager import async_trigger_scene_off, async_trigger_scene_on

HERE = os.path.dirname(os.path.abspath(__file__))
LAMP, KEYPAD, RELAY, NEW = "1A.2B.3C", "22.05.06", "30.31.32", "40.41.42"
GROUP = 21


async def try_devices(checks, port):
    await checks.attempt("connect", async_connect(device=f"socket://127.0.0.1:{port}"))
    modem = devices.modem
    checks.equal("the modem", str(modem.address), "4A.11.5C")
    await checks.attempt("identify the devices", devices.async_load(workdir="", id_devices=1))
    await checks.becomes("the devices are known", lambda: {LAMP, KEYPAD, RELAY} <= {str(each) for each in devices}, True, 60)
    checks.equal("the links of the modem", (str(modem.aldb.status), len(modem.aldb) > 10), ("loaded", True))
    kinds = {each: type(devices[each]).__name__ for each in (LAMP, KEYPAD, RELAY)}
    expected = {
        LAMP: "DimmableLightingControl_SwitchLinc02",
        KEYPAD: "DimmableLightingControl_KeypadLinc_8",
        RELAY: "SwitchedLightingControl_SwitchLinc02",
    }
    checks.equal("the kinds of the devices", kinds, expected)
    lamp = devices[LAMP]
    await checks.attempt("the lamp goes to half", lamp.async_on(on_level=128))
    await checks.attempt("its status", lamp.async_status())
    checks.equal("its level", lamp.groups[1].value, 128)
    for each in (LAMP, RELAY):
        await checks.attempt(f"the links of {each}", devices[each].aldb.async_load(refresh=True))
        checks.equal(f"the links of {each} are whole", str(devices[each].aldb.status), "loaded")
    lamp.aldb.add(group=GROUP, target=modem.address, controller=False, data1=100, data2=28, data3=1)
    checks.equal("a link is written into the lamp", await lamp.aldb.async_write(), (1, 0))
    modem.aldb.add(group=GROUP, target=lamp.address, controller=True, data1=0, data2=0, data3=0)
    checks.equal("a link is written into the modem", await modem.aldb.async_write(), (1, 0))
    await checks.attempt("the group goes on", async_trigger_scene_on(GROUP))
    await asyncio.sleep(2)
    await checks.attempt("the status again", lamp.async_status())
    checks.equal("the level of its link", lamp.groups[1].value, 100)
    await checks.attempt("the group goes off", async_trigger_scene_off(GROUP))
    added = [str(each) async for each in devices.async_add_device(address=NEW)]
    checks.equal("a device is linked by its address", added, [NEW])
    await async_close()


async def main():
    checks = Checks()
    serve = ["node", os.path.join(HERE, "serve-insteon-modem.ts")]
    with subprocess.Popen(serve, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        try:
            await try_devices(checks, int(server.stdout.readline()))
        finally:
            server.stdin.close()
    checks.finish()


asyncio.run(main())
