/** Templates of announced entities compute a value, or are refused; they reach nothing else. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { scopeOf } from "../../../../src/drivers/mqtt/discovery/entity.ts";
import { readTemplate } from "../../../../src/drivers/mqtt/discovery/template.ts";
import { TemplateError } from "../../../../src/drivers/mqtt/discovery/template-values.ts";

const made = (template: string, payload: string) => readTemplate(template)(scopeOf(Buffer.from(payload)));

test.each([
  ["{{ value_json.temperature }}", '{"temperature":21.5}', "21.5"],
  ["{{ value_json['a b'].c }}", '{"a b":{"c":1}}', "1"],
  ["{{ value_json.list[1] }}", '{"list":[1,2]}', "2"],
  ["{{ value }}", "ON", "ON"],
  ["{{ value_json.x | float(0) | round(1) }}", '{"x":"2.345"}', "2.3"],
  ["{{ value_json.x|int + 1 }}", '{"x":"41.9"}', "42"],
  ["{{ value_json.x * 100 / 255 }}", '{"x":51}', "20"],
  ["{{ 'on' if value_json.s == 1 else 'off' }}", '{"s":0}', "off"],
  ["{% if value_json.s %}ON{% else %}OFF{% endif %}", '{"s":true}', "ON"],
  ["{% if value == 'a' %}1{% elif value == 'b' %}2{% else %}3{% endif %}", "b", "2"],
  ["{{ value_json.contact }}", '{"contact":false}', "False"],
  ["{{ value_json.get('x', 7) }}", "{}", "7"],
  ["{{ value_json.x | default('none') | upper }}", "{}", "NONE"],
  ["{{ {0: 'idle', 1: 'heat'}[value_json.s] }}", '{"s":1}', "heat"],
  ["{{ value in ['a', 'b'] and not value == 'b' }}", "a", "True"],
  ["{{ value_json.x is defined and value_json.x is not none }}", '{"x":null}', "False"],
  ["{{ value_json.a ~ '-' ~ value_json.b }}", '{"a":1,"b":2}', "1-2"],
  ["{{ value_json | tojson }}", '{"a":[1]}', '{"a":[1]}'],
  ["{{ -3 % 5 }} {{ 7 // 2 }}", "", "2 3"],
  ["{{ float(value_json.x) * 2 }}", '{"x":"1.5"}', "3"],
  ["{{ value | int(base=16) }} {{ value | int(0, 16) }}", "0xff", "255 255"],
  ["{{ '%.1f' | format(value_json.x) }} {{ '%04d' % 7 }}", '{"x":2.25}', "2.3 0007"],
  ["{{ value.split(',')[1] | replace('b', 'c') }}", "a,b", "c"],
  ["{# a note #}{{ value }}", "ON", "ON"],
  ["{% set names = {1: 'low', 2: 'high'} %}{{ names[value_json.x] }}", '{"x":2}', "high"],
  ["{{ value_json.x | float(0) }}", "{}", "0"],
  ["{{ 'no' if value_json.x is not defined else 'yes' }}", "{}", "no"],
  ["{{ value_json.x or 'none' }}", '{"x":""}', "none"],
  ['{"brightness": {{ value }}}', "9", '{"brightness": 9}'],
])("%s of %s is %s", (template, payload, text) => {
  expect(made(template, payload)).toBe(text);
});

test.each([
  ["{{ value_json.missing }}", "{}"],
  ["{{ value_json.x | is_defined }}", "{}"],
  ["{{ value_json.x.y.z }}", '{"x":3}'],
  ["{{ value_json.x }}", "not JSON"],
  ["{{ value_json.t | float }}", "{}"],
  ["{{ value_json.t | int }}", '{"t":"unavailable"}'],
  ["{{ (value_json.t | float) * 2 + 1 }}", "{}"],
  ["{{ value_json.t / 10 }}", "{}"],
  ["{{ 10 / value_json.t }}", '{"t":0}'],
  ["{{ 'ON' if value_json.t > 5 else 'OFF' }}", "{}"],
  ["{% if value_json.t == 'on' %}ON{% else %}OFF{% endif %}", "{}"],
  ["{{ '%.1f' | format(value_json.t) }}", "{}"],
  ["{% set t = value_json.t %}{{ t | round(1) }}", "{}"],
  // The key 1 is not the key "1".
  ["{{ {1: 'a'}[value_json.k] }}", '{"k":"1"}'],
])("%s of %s leaves the value as it was", (template, payload) => {
  expect(made(template, payload)).toBeUndefined();
});

test.each([
  "{{ now() }}",
  "{{ ''.constructor.constructor('return process')() }}",
  "{{ value | truncate(3) }}",
  "{% set x %}",
  "{% set __proto__ = 1 %}",
  "{% for x in range(3000000) %}x{% endfor %}",
  "{{ value",
  "{{ value.split(',')[0:2] }}",
  "{% if value %}x",
  "{{ 1 ** 2 }}",
  `{{ ${"(".repeat(30)}1${")".repeat(30)} }}`,
  `{{ "${"x".repeat(1001)}" }}`,
])("%.60s is refused", (template) => {
  expect(() => readTemplate(template)).toThrow(TemplateError);
});

test("nothing but own members is read", () => {
  for (const path of ["constructor", "__proto__", "toString", "a.constructor", "list.length", "list.map"]) {
    expect(made(`{{ value_json.${path} }}`, '{"a":{},"list":[1]}')).toBeUndefined();
  }
});

test("any text is a template or refused, and any message gives a text or nothing", () => {
  const word = fc.constantFrom(
    "{{",
    "}}",
    "{%",
    "%}",
    "value_json",
    ".a",
    "[0]",
    "|",
    "int",
    "if",
    "else",
    "(",
    ")",
    " ",
    "'x'",
    "==",
  );
  const template = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 30 }).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(template, fc.json(), (text, payload) => {
      let read: ReturnType<typeof readTemplate>;
      try {
        read = readTemplate(text);
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError);
        return;
      }
      expect(["string", "undefined"]).toContain(typeof read(scopeOf(Buffer.from(payload))));
    }),
  );
});
