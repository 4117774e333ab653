"""The reference SDK of Matter against the bridge of a demo home: it commissions, commands and reads it, also after a kill."""

import asyncio
import json
import os
import re
import signal
import subprocess
import tempfile
import time

import chip.clusters as Clusters
import chip.native
from checks import OWNER, Checks
from chip import CertificateAuthority
from chip.ChipStack import ChipStack
from chip.discovery import DiscoveryType
from chip.exceptions import ChipStackError

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
NODE = os.path.join(ROOT, "node_modules/.bin/node")
DOMOVOI = os.path.join(ROOT, "bin/domovoi.js")
BRIDGE = 5
Basic = Clusters.BridgedDeviceBasicInformation
OnOff, Level = Clusters.OnOff, Clusters.LevelControl
Cover, Thermostat, Fan = Clusters.WindowCovering, Clusters.Thermostat, Clusters.FanControl
Lock = Clusters.DoorLock


def own_environment():
    """Libraries of the SDK are not for Node."""
    return {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}


class Service:
    def __init__(self, data):
        self.data = data
        settings = os.path.join(data, "settings.json")
        with open(settings, "w") as file:
            json.dump({"matterBridge": True, "matterSecured": True}, file)
        ports = ["--portal-port", os.environ["MATTER_PORTAL_PORT"], "--local-port", os.environ["MATTER_LOCAL_PORT"]]
        home = os.path.join(data, "home")
        self.command = [NODE, DOMOVOI, "serve", "--demo", "--still", "--data", home, "--config", settings, *ports]
        self.authority = os.path.join(home, "secrets/ca-cert")
        self.process = None

    def start(self):
        log = open(os.path.join(self.data, "log"), "a")
        self.process = subprocess.Popen(self.command, stdout=log, stderr=log, env=own_environment())

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def matter(self, *words):
        portal = f"https://127.0.0.1:{os.environ['MATTER_PORTAL_PORT']}"
        account = {"DOMOVOI_USER": OWNER[0], "DOMOVOI_PASSWORD": OWNER[1], "DOMOVOI_CA": self.authority}
        command = [NODE, DOMOVOI, "matter", *words, "--json", "--url", portal]
        done = subprocess.run(command, env={**own_environment(), **account}, capture_output=True, text=True)
        return json.loads(done.stdout)["bridge"] if done.returncode == 0 and done.stdout else {}

    async def ready(self):
        ends = time.monotonic() + 90
        while time.monotonic() < ends:
            bridge = self.matter()
            if bridge.get("state") == "ready":
                return bridge
            await asyncio.sleep(1)
        return {}


def write_test_authorities(folder):
    """The bridge has a certificate below the authorities for tests, which the library holds."""
    source = os.path.join(ROOT, "node_modules/@matter/protocol/src/certificate/ChipPAAuthorities.ts")
    with open(source) as file:
        found = re.findall(r'TestCert_PAA_(\w+)_Cert = Bytes\.fromHex\(\s*"([0-9A-Fa-f]+)"', file.read())
    for name, text in found:
        with open(os.path.join(folder, f"{name}.der"), "wb") as file:
            file.write(bytes.fromhex(text))


class Ecosystem:
    def __init__(self, folder):
        authorities = os.path.join(folder, "authorities")
        os.mkdir(authorities)
        write_test_authorities(authorities)
        chip.native.Init()
        stack = ChipStack(persistentStoragePath=os.path.join(folder, "sdk"), enableServerInteractions=False)
        # Without a reference the SDK shuts them down.
        self.manager = CertificateAuthority.CertificateAuthorityManager(stack, stack.GetStorageManager())
        self.manager.LoadAuthoritiesFromStorage()
        self.authority = self.manager.NewCertificateAuthority()
        admin = self.authority.NewFabricAdmin(vendorId=0xFFF1, fabricId=1)
        self.controller = admin.NewController(nodeId=112233, paaTrustStorePath=authorities)
        self.endpoints = {}

    async def commission(self, code):
        return await self.controller.CommissionWithCode(code, BRIDGE, DiscoveryType.DISCOVERY_NETWORK_ONLY)

    async def learn_names(self):
        data = await self.controller.ReadAttribute(BRIDGE, [Basic.Attributes.NodeLabel])
        self.endpoints = {clusters[Basic][Basic.Attributes.NodeLabel]: number for number, clusters in data.items()}

    async def send(self, name, command, **options):
        return await self.controller.SendCommand(BRIDGE, self.endpoints[name], command, **options)

    async def send_again(self, name, command, tries=4):
        """The SDK learns by a command that its session has ended, and makes another for the next one."""
        for _ in range(tries - 1):
            try:
                return await self.send(name, command)
            except ChipStackError:
                await asyncio.sleep(2)
        return await self.send(name, command)

    async def write(self, name, value):
        return await self.controller.WriteAttribute(BRIDGE, [(self.endpoints[name], value)])

    async def read(self, name, attribute):
        number = self.endpoints[name]
        data = await self.controller.ReadAttribute(BRIDGE, [(number, attribute)])
        return next(iter(values[attribute] for values in data[number].values() if attribute in values))

    async def becomes(self, checks, claim, name, attribute, expected, seconds=10):
        ends = time.monotonic() + seconds
        value = await self.read(name, attribute)
        while value != expected and time.monotonic() < ends:
            await asyncio.sleep(0.1)
            value = await self.read(name, attribute)
        checks.equal(claim, value, expected)


def level(value):
    return Level.Commands.MoveToLevelWithOnOff(level=value, transitionTime=0, optionsMask=0, optionsOverride=0)


async def try_devices(checks, home):
    await checks.attempt("a lamp goes to a level", home.send("Reading Lamp", level(127)))
    await home.becomes(checks, "its level", "Reading Lamp", Level.Attributes.CurrentLevel, 127)
    await home.becomes(checks, "it is on", "Reading Lamp", OnOff.Attributes.OnOff, True)
    await checks.attempt("a switch goes on", home.send("Porch Light", OnOff.Commands.On()))
    await home.becomes(checks, "the switch is on", "Porch Light", OnOff.Attributes.OnOff, True)
    await checks.attempt("an outlet goes on", home.send("Coffee Machine", OnOff.Commands.On()))
    await home.becomes(checks, "the outlet is on", "Coffee Machine", OnOff.Attributes.OnOff, True)
    await checks.attempt("a cover closes", home.send("Living Room Blind", Cover.Commands.DownOrClose()))
    position = Cover.Attributes.CurrentPositionLiftPercent100ths
    await home.becomes(checks, "the cover is closed", "Living Room Blind", position, 10_000, 60)
    timed = {"timedRequestTimeoutMs": 5000}
    await checks.attempt("a lock unlocks", home.send("Front Door Lock", Lock.Commands.UnlockDoor(), **timed))
    await home.becomes(checks, "the lock is open", "Front Door Lock", Lock.Attributes.LockState, 2)
    heat = Thermostat.Attributes.OccupiedHeatingSetpoint
    await checks.attempt("a set-point is written", home.write("Bedroom Thermostat", heat(2050)))
    await home.becomes(checks, "the set-point", "Bedroom Thermostat", heat, 2050)
    await checks.attempt("a fan is written", home.write("Living Room Fan Motor", Fan.Attributes.PercentSetting(100)))
    await home.becomes(checks, "the fan runs", "Living Room Fan Motor", Fan.Attributes.PercentCurrent, 100)
    contact = await home.read("Kitchen Window", Clusters.BooleanState.Attributes.StateValue)
    checks.equal("an open window", contact, False)
    temperature = Clusters.TemperatureMeasurement.Attributes.MeasuredValue
    checks.equal("a temperature", await home.read("Bedroom Climate", temperature), 2120)


async def main():
    checks = Checks()
    with tempfile.TemporaryDirectory() as folder:
        service = Service(folder)
        service.start()
        try:
            bridge = await service.ready()
            home = Ecosystem(folder)
            node = await checks.attempt("commission by the QR code", home.commission(bridge.get("qrPairingCode", "")))
            checks.equal("the node", node, BRIDGE)
            checks.equal("ecosystems", [each["vendorId"] for each in service.matter().get("fabrics", [])], [0xFFF1])
            await checks.attempt("read all names", home.learn_names())
            checks.equal("every shown node has a name of its own", len(home.endpoints), bridge.get("nodes"))
            before = dict(home.endpoints)
            await try_devices(checks, home)
            service.kill()
            service.start()
            await service.ready()
            await checks.attempt("a command after a kill", home.send_again("Reading Lamp", level(51)))
            await home.becomes(checks, "its level after a kill", "Reading Lamp", Level.Attributes.CurrentLevel, 51)
            await checks.attempt("read all names after a kill", home.learn_names())
            checks.equal("every device has its number after a kill", home.endpoints, before)
            checks.equal("the bridge leaves the ecosystem", service.matter("remove", "1").get("state") is not None, True)
        finally:
            service.kill()
    print(f"  {checks.passed} passed, {len(checks.failed)} failed", flush=True)
    # The SDK does not end by itself.
    os._exit(1 if checks.failed else 0)


asyncio.run(main())
