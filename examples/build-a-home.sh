#!/usr/bin/env bash
# Builds a home with the command line only: from an empty data directory and a simulated Z-Wave adapter to folders, named
# devices, a scene, a motion program, a notification channel, a guest link and the place. The controller runs until Ctrl-C.
#
#   examples/build-a-home.sh my-home smtp://localhost:2525
#
# Without a mail server the channel is left out. DOMOVOI_OWNER_PASSWORD chooses the owner's password.
set -euo pipefail

data=${1:?Name an empty directory for the data.}
mail_server=${2:-}
domovoi() { node "$(dirname "$0")/../bin/domovoi.js" "$@"; }

export DOMOVOI_OWNER_EMAIL=${DOMOVOI_OWNER_EMAIL:-owner@domovoi.local}
export DOMOVOI_OWNER_PASSWORD=${DOMOVOI_OWNER_PASSWORD:-correct horse battery staple}
mkdir -p "$data"

# 1. The controller, with a simulated adapter: `--demo-radio`. A real one is `--zwave-port /dev/serial/by-id/…`.
exec {ready}< <(exec node "$(dirname "$0")/../bin/domovoi.js" serve --data "$data" --demo-radio \
  --portal-port "${PORTAL_PORT:-9443}" --local-port "${LOCAL_PORT:-8443}")
controller=$!
trap 'kill "$controller" 2>/dev/null; wait "$controller" 2>/dev/null || true' EXIT
read -r word portal_url _ <&"$ready"
[ "$word" = ready ]

# 2. Which controller, whose account. A person runs `domovoi login` once instead.
export DOMOVOI_URL=$portal_url DOMOVOI_CA=$data/secrets/ca-cert
export DOMOVOI_USER=$DOMOVOI_OWNER_EMAIL DOMOVOI_PASSWORD=$DOMOVOI_OWNER_PASSWORD

# 3. Where the home is.
domovoi place --name 'Little House' --latitude 48.14 --longitude 11.58 --zone Europe/Berlin --units metric

# 4. Rooms, and the devices in them with their names. The adapter has to read its network first.
until domovoi nodes --json | grep '"ZW111_307"' >/dev/null; do sleep 1; done
domovoi folder create 'Living Room'
domovoi folder create 'Stairs'
domovoi rename ZW102_1 'Sofa Lamp'
domovoi rename ZW103_1 'Reading Lamp'
domovoi rename ZW101_1 'Stairs Light'
domovoi rename ZW111_307 'Stairs Motion'
domovoi move 'Sofa Lamp' 'Living Room'
domovoi move 'Reading Lamp' 'Living Room'
domovoi move 'Stairs Light' 'Stairs'

# 5. A scene with levels.
domovoi scene create 'Reading' --folder 'Living Room'
domovoi scene add 'Reading' 'Sofa Lamp' --level 20%
domovoi scene add 'Reading' 'Reading Lamp' --level 80%
domovoi scene show 'Reading'

# 6. A program: light when somebody comes, and a notification.
domovoi program apply - <<'PROGRAM'
Program 'Stairs Motion Light'

If
    Control 'Stairs Motion' is switched 'On'

Then
    Set 'Stairs Light' 'On'
    Send notification to 1
    Wait 2 minutes
    Set 'Stairs Light' 'Off'
PROGRAM

# 7. A channel, so that notifications arrive.
if [ -n "$mail_server" ]; then
  domovoi channel add Mail --smtp "$mail_server" --to owner@example.org --recipient 1
  domovoi channel test Mail
fi

# 8. A link that lets the cat sitter switch one light for two days, and see nothing else.
domovoi guest create 'Cat sitter' --node 'Stairs Light' --for 2d

# 9. Try it: somebody walks by.
domovoi send 'Reading' DON
domovoi act 'Stairs Motion' DON
domovoi history

echo "The home is at $portal_url. Ctrl-C ends it."
wait "$controller"
