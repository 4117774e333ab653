/** The small home as the local surface serves it. */

import { type ScriptedServer, text } from "./scripted-server.ts";

export const NODES_XML =
  '<?xml version="1.0" encoding="UTF-8"?><nodes><root>Our Services</root>' +
  '<folder flag="0"><address>31200</address><name>Garden</name><family>13</family></folder>' +
  '<folder flag="0"><address>31201</address><name>Beds</name><family>13</family><parent type="3">31200</parent></folder>' +
  '<node flag="128" nodeDefId="Dimmer"><address>5C 2 D1 1</address><name>Porch Lantern</name><hint>0.0.0.0</hint>' +
  '<parent type="3">31200</parent><type>1.32.69.0</type><enabled>true</enabled><pnode>5C 2 D1 1</pnode>' +
  '<property id="ST" value="127" formatted="50%" uom="100" name=""/></node>' +
  '<node flag="128" nodeDefId="Relay"><address>61 9 B 1</address><name>Shed</name><type>2.42.69.0</type>' +
  '<enabled>false</enabled><pnode>61 9 B 1</pnode><property id="ST" value="" formatted=" " uom="0"/></node>' +
  '<node flag="128" nodeDefId="UZW01A2"><address>ZW002_1</address><name>Stairs</name><family>4</family><type>4.17.1.0</type>' +
  "<enabled>true</enabled><pnode>ZW002_1</pnode><rpnode>ZW002_1</rpnode><sgid>1</sgid>" +
  "<devtype><gen>4.17.1</gen><mfg>99.3.7</mfg><cat>109</cat></devtype>" +
  '<property id="ST" value="40" formatted="40%" uom="51" name="Level"/></node>' +
  '<node flag="0" nodeDefId="meter"><address>n007_meter</address><name>Greenhouse</name><family instance="7">10</family>' +
  "<type>1.2.3.4</type><enabled>true</enabled></node>" +
  '<group flag="12"><address>00:aa:bb:cc:dd:ee</address><name>Our Services</name><family>6</family>' +
  '<members><link type="0">5C 2 D1 1</link></members></group>' +
  '<group flag="132" nodeDefId="InsteonDimmer"><address>31777</address><name>Evening</name><family>6</family>' +
  '<parent type="3">31201</parent><deviceGroup>44</deviceGroup><pnode>31777</pnode>' +
  '<members><link type="16">61 9 B 1</link><link type="0">5C 2 D1 1</link></members></group></nodes>';

const PROGRAMS_XML =
  '<programs><program id="0001" status="true" folder="true"><name>My Programs</name></program>' +
  '<program id="0002" parentId="0001" status="false" folder="true"><name>Lights</name></program>' +
  '<program id="001C" parentId="0002" status="true" folder="false" enabled="true" runAtStartup="false" running="idle">' +
  "<name>Dusk</name><lastRunTime>2031/02/02 08:05:06 PM</lastRunTime><lastFinishTime></lastFinishTime>" +
  "<nextScheduledRunTime></nextScheduledRunTime></program></programs>";

const TIME_XML = "<DT><TMZOffset>-28800</TMZOffset><DST>false</DST></DT>";

/** Adds the documents of the local surface. */
export function serveLocal(server: ScriptedServer): void {
  const documents: Readonly<Record<string, string>> = {
    "/rest/config":
      "<configuration><app_version>6.0.3</app_version><root><id>00:aa:bb:cc:dd:ee</id></root></configuration>",
    "/rest/nodes": NODES_XML,
    "/rest/programs?subfolders=true": PROGRAMS_XML,
    "/rest/time": TIME_XML,
    "/rest/vars/get/1":
      '<vars><var type="1" id="7"><init>0</init><prec>0</prec><val>12</val><ts>20310202 20:05:06</ts></var></vars>',
    "/rest/vars/get/2": "/CONF/STATE.VAR not found",
    "/rest/vars/definitions/1": '<CList type="VAR_INT"><e id="7" name="Boost"><val id="prec">0</val></e></CList>',
    "/rest/vars/definitions/2": "/CONF/STATE.VAR not found",
  };
  for (const [path, body] of Object.entries(documents)) server.on(`GET ${path}`, text(body));
}
