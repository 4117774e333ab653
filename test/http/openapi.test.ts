/** The OpenAPI document describes every member of every body. */

import { expect, test } from "vitest";
import { apiRoutes } from "../../src/http/api/api-routes.ts";
import type { JsonSchema } from "../../src/http/schema.ts";

/** Places that say too little: objects without members, lists without items, values of any kind without a word on them. */
function gaps(schema: JsonSchema, place: string): readonly string[] {
  const { type = [], properties, items, additionalProperties: others, anyOf = [], description = "" } = schema;
  const isOf = (name: string) => [type].flat().some((each) => each === name);
  const isAny = type.length === 0 && anyOf.length === 0 && !schema.enum && schema.const === undefined;
  const own = [
    isOf("object") && !properties && others === undefined ? "an object without members" : "",
    isOf("array") && !items ? "a list without items" : "",
    isAny && description === "" ? "nothing" : "",
    /see the page|on the .* page/i.test(description) ? "a page in place of a description" : "",
  ];
  return [
    ...own.filter(Boolean).map((gap) => `${place}: ${gap}`),
    ...Object.entries(properties ?? {}).flatMap(([name, member]) => gaps(member, `${place}.${name}`)),
    ...(items ? gaps(items, `${place}[]`) : []),
    ...(typeof others === "object" ? gaps(others, `${place}.*`) : []),
    ...anyOf.flatMap((each) => gaps(each, place)),
  ];
}

test("every member of every request and answer is described", () => {
  const found = apiRoutes.flatMap(({ method, path, body, data, beside = {}, page }) => [
    ...(body ? gaps(body, `${method} ${path} body`) : []),
    ...(data && page !== "openapi" ? gaps(data, `${method} ${path} data`) : []),
    ...Object.entries(beside).flatMap(([name, schema]) => gaps(schema, `${method} ${path} ${name}`)),
  ]);
  expect(found).toEqual([]);
});
