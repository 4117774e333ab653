"""A library for Python 2 that writes by SOAP: load, command, the tree, scenes, linking, the log, the event stream. What the controller refuses, it raises."""

from __future__ import print_function

import os
import sys
import threading
import time

sys.path.insert(0, sys.argv[1])

import ISY
from ISY.IsyEvent import ISYEvent
from ISY.IsyExceptionClass import IsySoapError

ACCESS = {"addr": "127.0.0.2", "userl": os.environ["DOMOVOI_LOCAL_USER"], "userp": os.environ["DOMOVOI_LOCAL_PASSWORD"]}
LAMP = "1A 2B 3C 1"
passed = []
failed = []


def check(name, is_right, seen=""):
    (passed if is_right else failed).append(name)
    if not is_right:
        print("  FAILED %s: %s" % (name, str(seen)[:200]))


def attempt(name, act):
    try:
        result = act()
        check(name, True)
        return result
    except Exception as error:
        check(name, False, "%s %s" % (type(error).__name__, error))


def refused(name, status, act):
    try:
        check(name, False, act())
    except IsySoapError as error:
        check(name, str(error).endswith(str(status)) or str(status) in str(error.args), error)


home = ISY.Isy(eventupdates=0, **ACCESS)
check("it loads nodes", len(list(home)) > 30)
attempt("it loads the configuration", home.load_conf)
attempt("it loads programs", home.load_prog)
check("it loads variables", len(list(home.var_iter())) > 5)
lamp = home["Hall Ceiling"]
attempt("the lamp goes on", lambda: lamp.on(117))
time.sleep(1)
attempt("the lamp is read", lamp.update)
check("the lamp is at 117", str(lamp.status) == "117", lamp.status)

attempt("a node gets a name", lambda: home.node_rename("Hall Ceiling", "Hall Top"))
scene = attempt("a scene is made", lambda: home.scene_new(0, "From Python"))
attempt("it is read", lambda: home.load_nodes(reload=1))
attempt("a node joins it", lambda: home.scene_add_node(scene, LAMP, 0))
attempt("a node leaves it", lambda: home.scene_del_node(scene, LAMP))
attempt("a scene gets a name", lambda: home.scene_rename("31002", "Late"))
attempt("a scene goes", lambda: home.scene_del(scene))
attempt("a folder is made", lambda: home.folder_new(0, "Cellar"))
attempt("a folder gets a name", lambda: home.folder_rename("11001", "Entrance"))
attempt("a node moves into a folder", lambda: home.folder_add_node(LAMP, 1, "11002", 3))
attempt("a node moves to the top", lambda: home.folder_del_node(LAMP, 1))
attempt("a folder goes", lambda: home.folder_del("11003"))
attempt("the time", home.getsystemdatetime)
attempt("a level of the log is set", lambda: home.set_debug_level(1))
attempt("everything is queried", home.queryall)
attempt("linking begins", home.node_discover_start)
refused("linking while it goes on", 803, home.node_discover_start)
attempt("linking ends", home.node_discover_stop)
log = attempt("the log is read", lambda: list(home.log_iter())) or []
check("its lines have six fields", all(len(line.split("\t")) == 6 for line in log if line.strip()), log[:2])
refused("a restart of the machine", 501, home.reboot)
refused("a password", 403, lambda: home.set_user_credentials("admin", "x"))
refused("a file of a camera", 501, home.webcam_get)
refused("a page", 403, lambda: home.user_uploadfile(name="x.htm", data="<html/>"))

seen = []
stream = ISYEvent(process_func=lambda event, *_: seen.append(event))
attempt("it subscribes", lambda: stream.subscribe(**ACCESS))
follower = threading.Thread(target=stream.events_loop)
follower.daemon = True
follower.start()
ends = time.time() + 30
while len(seen) < 200 and time.time() < ends:
    time.sleep(0.1)
check("the present state comes as events", len(seen) >= 200, len(seen))
home.load_nodes(reload=1)
home["Hall Top"].on(99)


def is_at_99(event):
    action = event.get("action")
    return event.get("control") == "ST" and event.get("node") == LAMP and isinstance(action, dict) and action.get("#val") == "99"


ends = time.time() + 30
while not any(is_at_99(event) for event in list(seen)) and time.time() < ends:
    time.sleep(0.1)
check("the lamp is followed", any(is_at_99(event) for event in list(seen)), len(seen))
print("  %d passed, %d failed" % (len(passed), len(failed)))
sys.stdout.flush()
os._exit(1 if failed else 0)
