#!/usr/bin/env bash
# Real clients from the Python registry against a demo home with a simulated radio, and a library for Insteon against the simulated modem. Run by the nightly tests, never by `npm test`.
#
#     test/peers/run.sh [pyisyox] [pyisy] [pyisy-tcp] [isylib] [eisy-admin] [pyinsteon] [home-assistant] [home-assistant-supplies] [home-assistant-mqtt] [home-assistant-way-in] [zigbee2mqtt] [matter]     all of them without a name
#
# SERVICE_OPTIONS are those of the home, such as "--demo --demo-insteon"; default: "--demo --demo-radio".
# Every peer is installed into an environment of its own below PEERS_DIR (default: a folder of the user's cache), and kept there.
# The service runs with a data directory of its own, on loopback, and ends with the script.
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
peers="${PEERS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/domovoi-peers}"
data="$(mktemp -d)"
cleanup() {
  touch "$data.end"
  [ -e "$data.pid" ] && kill "$(cat "$data.pid")" 2>/dev/null
  wait 2>/dev/null
  rm -rf "$data" "$data".*
}
trap cleanup EXIT

environment() { # name, packages…
  local folder="$peers/$1"
  if [ ! -e "$folder/complete" ]; then
    "${PYTHON:-python3}" -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "${@:2}"
    touch "$folder/complete"
  fi
}

newer_python() {
  local each
  for each in "${PYTHON313:-}" python3.13 "$HOME"/.pyenv/versions/3.13*/bin/python; do
    [ -n "$each" ] && "$each" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 13))' 2>/dev/null && echo "$each" && return
  done
  return 1
}

export DOMOVOI_OWNER_EMAIL=owner@example.org DOMOVOI_OWNER_PASSWORD='owner password 1'
export DOMOVOI_LOCAL_USER=admin DOMOVOI_LOCAL_PASSWORD='local password 1'
export PORTAL_PORT=19443 LOCAL_PORT=18443

# Restarts the service when a peer ended it.
supervise() {
  until [ -e "$data.end" ]; do
    # shellcheck disable=SC2086
    node "$here/../../bin/domovoi.js" serve ${SERVICE_OPTIONS:---demo --demo-radio} --data "$data" \
      --portal-port "$PORTAL_PORT" --local-port "$LOCAL_PORT" >>"$data.log" 2>&1 &
    echo $! >"$data.pid"
    wait $! || true
  done
}

failed=0
supervise &
# The simulated devices are interviewed after the start.
sleep 25
grep '^ready ' "$data.log"
for peer in "${@:-pyisyox pyisy pyisy-tcp isylib eisy-admin pyinsteon home-assistant home-assistant-supplies home-assistant-mqtt home-assistant-way-in zigbee2mqtt matter}"; do
  for name in $peer; do
    case "$name" in
      pyisyox) environment pyisyox pyisyox==6.0.1 ;;
      pyisy) environment pyisy PyISY==3.8.0 ;;
      pyisy-tcp) environment pyisy-tcp PyISY==3.8.0 ;;
      isylib)
        # A library for Python 2, which knows port 80 alone.
        python="${PYTHON27:-$(ls "$HOME"/.pyenv/versions/2.7*/bin/python 2>/dev/null | head -1)}"
        [ -n "$python" ] || { echo "== $name needs Python 2.7: PYTHON27."; failed=1; continue; }
        folder="$peers/isylib"
        [ -e "$folder" ] || git clone --quiet "${ISYLIB_SOURCE:-https://github.com/evilpete/ISYlib-python.git}" "$folder" || { failed=1; continue; }
        echo '{"plainPort": 80, "plainHost": "127.0.0.2"}' >"$data.isylib.json"
        node "$here/../../bin/domovoi.js" serve --demo --demo-insteon --data "$data.isylib" --config "$data.isylib.json" \
          --portal-port 19445 --local-port 18445 >>"$data.log" 2>&1 &
        service=$!
        sleep 10
        echo "== $name"
        "$python" "$here/isylib_client.py" "$folder" 2>/dev/null || failed=1
        kill "$service"
        continue
        ;;
      eisy-admin)
        folder="$peers/eisy-admin"
        [ -e "$folder/node_modules/vite" ] || (
          git clone --quiet "${EISY_ADMIN_SOURCE:-https://github.com/mishanovini/eisy-admin.git}" "$folder" &&
            cd "$folder" && git checkout --quiet 2b86343 && npm install --silent --ignore-scripts --no-audit --no-fund
        ) || { failed=1; continue; }
        [ -e "$folder/dist/index.htm" ] || (cd "$folder" && "$here/../../node_modules/.bin/node" node_modules/vite/bin/vite.js build >/dev/null)
        echo "== $name"
        "$here/../../node_modules/.bin/node" "$here/eisy-admin.ts" "$folder" || failed=1
        continue
        ;;
      pyinsteon) environment pyinsteon pyinsteon==1.7.0 async_timeout==5.0.1 ;;
      home-assistant)
        python="$(newer_python)" || { echo "== $name needs Python 3.13: PYTHON313."; failed=1; continue; }
        PYTHON="$python" environment home-assistant --ignore-requires-python homeassistant==2026.2.3 home-assistant-frontend==20260128.6 pyisy==3.4.1
        # It refuses patch levels before 3.13.2, and works with them.
        sed -i 's/^REQUIRED_PYTHON_VER: .*/REQUIRED_PYTHON_VER: Final[tuple[int, int, int]] = (3, 13, 0)/' \
          "$peers"/home-assistant/lib/python3.13/site-packages/homeassistant/const.py
        ;;
      home-assistant-supplies)
        [ -e "$peers/home-assistant/complete" ] || { echo "== $name needs the environment of home-assistant: run that first."; failed=1; continue; }
        ln -sfn "$peers/home-assistant" "$peers/home-assistant-supplies"
        ;;
      home-assistant-mqtt)
        # The announcement of a whole device is newer than the Home Assistant for Python 3.11.
        python="$(newer_python)" || { echo "== $name needs Python 3.13: PYTHON313."; failed=1; continue; }
        PYTHON="$python" environment home-assistant-mqtt homeassistant==2025.4.4 home-assistant-frontend==20250411.0 paho-mqtt==2.1.0
        ;;
      home-assistant-way-in)
        # With both releases; the recorded day with the newer one.
        for each in home-assistant home-assistant-mqtt; do
          [ -e "$peers/$each/complete" ] || { echo "== $name needs the environment of $each: run that first."; failed=1; continue; }
          echo "== $name with the release of $each"
          "$peers/$each/bin/python" "$here/home_assistant_way_in_client.py" || failed=1
        done
        if [ -e "$peers/home-assistant/complete" ]; then
          "$peers/home-assistant/bin/pip" install --quiet --disable-pip-version-check time-machine==3.6.0
          echo "== $name: the recorded day"
          "$peers/home-assistant/bin/python" "$here/home_assistant_day.py" check || failed=1
        fi
        continue
        ;;
      zigbee2mqtt)
        folder="$peers/zigbee2mqtt"
        [ -e "$folder/node_modules/zigbee2mqtt" ] || npm install --silent --no-audit --no-fund --prefix "$folder" zigbee2mqtt@2.14.1
        cp "$here/zigbee2mqtt/simulated-adapter.cjs" "$folder/"
        echo "== $name"
        "$here/../../node_modules/.bin/node" "$here/zigbee2mqtt/try-zigbee2mqtt.ts" "$folder" || failed=1
        continue
        ;;
      matter)
        environment matter home-assistant-chip-core==2025.7.0 home-assistant-chip-clusters==2025.7.0
        folder="$peers/matter"
        # Libraries of the system that the SDK needs, where they are not installed.
        [ -e "$folder/libraries" ] || (mkdir "$folder/libraries" && cd "$folder/libraries" &&
          apt-get download -q libnl-3-200 libnl-route-3-200 && for each in *.deb; do dpkg-deb -x "$each" .; done)
        echo "== $name"
        MATTER_PORTAL_PORT=19444 MATTER_LOCAL_PORT=18444 "$here/matter.sh" "$folder" || failed=1
        continue
        ;;
      *) echo "There is no peer called $name."; exit 2 ;;
    esac
    echo "== $name"
    SERVICE_PID_FILE="$data.pid" "$peers/$name/bin/python" "$here/${name//-/_}_client.py" || failed=1
  done
done
exit "$failed"
