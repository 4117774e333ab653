"""Home Assistant as a process of its own, with its API, and the controller's values beside it."""

import asyncio
import json
import os
import ssl
import subprocess
import sys
import time

import aiohttp

from checks import LOCAL, LOCAL_PORT

PORT = 18123
BASE = f"http://127.0.0.1:{PORT}"
CLIENT = f"{BASE}/"
CONFIGURATION = f"""
homeassistant:
  name: Peer
  unit_system: us_customary
  time_zone: UTC
http:
  server_host: 127.0.0.1
  server_port: {PORT}
api:
config:
onboarding:
logger:
  default: warning
"""


class HomeAssistant:
    def __init__(self, folder, *options, more=""):
        self.folder = folder
        self.options = options
        # Beside the configuration that every peer has.
        self.more = more
        self.process = None
        self.session = aiohttp.ClientSession()
        self.token = None

    async def start(self):
        with open(f"{self.folder}/configuration.yaml", "w", encoding="utf8") as file:
            file.write(CONFIGURATION + self.more)
        command = [os.path.join(os.path.dirname(sys.executable), "hass"), "-c", self.folder, *self.options]
        self.log = open(f"{self.folder}/output.log", "ab")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        for _ in range(800):
            try:
                async with self.session.get(f"{BASE}/api/onboarding") as answer:
                    if answer.status in (200, 401, 404):
                        return
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.5)
        raise TimeoutError("Home Assistant did not start.")

    def stop(self):
        self.process.terminate()
        self.process.wait(60)

    def complaints(self, *words):
        with open(f"{self.folder}/output.log", encoding="utf8") as file:
            return [line.rstrip()[:300] for line in file if any(word in line for word in words)]

    async def log_in(self):
        user = {"client_id": CLIENT, "name": "Peer", "username": "peer", "password": "peer password", "language": "en"}
        async with self.session.post(f"{BASE}/api/onboarding/users", json=user) as answer:
            code = (await answer.json())["auth_code"]
        form = {"client_id": CLIENT, "grant_type": "authorization_code", "code": code}
        async with self.session.post(f"{BASE}/auth/token", data=form) as answer:
            self.token = (await answer.json())["access_token"]

    async def call(self, method, path, body=None):
        headers = {"Authorization": f"Bearer {self.token}"}
        async with self.session.request(method, f"{BASE}{path}", json=body, headers=headers) as answer:
            text = await answer.text()
            if answer.status >= 400:
                raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]}")
            return json.loads(text) if text else None

    async def states(self):
        return {state["entity_id"]: state for state in await self.call("GET", "/api/states")}

    async def service(self, domain, service, **data):
        return await self.call("POST", f"/api/services/{domain}/{service}", data)


async def controller_value(session, address, property_id):
    url = f"https://127.0.0.1:{LOCAL_PORT}/rest/nodes/{address.replace(' ', '%20')}/{property_id}"
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    async with session.get(url, ssl=context, auth=aiohttp.BasicAuth(*LOCAL)) as answer:
        text = await answer.text()
    return text.partition('value="')[2].partition('"')[0]


async def wait_for(read, fits, seconds=30):
    ends = time.monotonic() + seconds
    value = await read()
    while not fits(value) and time.monotonic() < ends:
        await asyncio.sleep(0.2)
        value = await read()
    return value
