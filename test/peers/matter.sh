#!/usr/bin/env bash
# The Matter bridge and the project's reference SDK, as Home Assistant ships it, in a network namespace of their own: two ends of one
# link with link-local addresses, and nothing else. Called by run.sh; needs root.
#
#     matter.sh FOLDER     FOLDER: the environment of Python with the SDK
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
folder="$1"
if [ "${2:-}" != inside ]; then
  # The SDK keeps its counters there, and nowhere else.
  made=""
  [ -d /data ] || { mkdir /data && made=yes; }
  result=0
  unshare --net --mount "$0" "$folder" inside || result=1
  [ -z "$made" ] || rmdir /data
  exit "$result"
fi

mount -t tmpfs tmpfs /data
ip link set lo up
ip link add matter0 type veth peer name matter1
ip link set matter0 up
ip link set matter1 up
# Link-local addresses are checked for duplicates first.
sleep 2
export LD_LIBRARY_PATH="$folder/libraries/usr/lib/x86_64-linux-gnu:$folder/libraries/lib/x86_64-linux-gnu"
"$folder/bin/python" "$here/matter_client.py"
