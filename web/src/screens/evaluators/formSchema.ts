import type { JsonObject, JsonSchema } from '~/ui/schema-form/schema';

/** What stands for the value of an argument, so that nobody has to write JSON for a text or a number. */
const ARGUMENT: JsonSchema = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, {}] };

/**
 * A kind's schema as its form shows it: the arguments of an expected call by name, and where a tool is named, the tools
 * that are known.
 */
export function formSchema(schema: JsonSchema, tools: readonly string[] = []): JsonSchema {
  return inForm(schema, tools.length > 0 ? { examples: [...tools] } : {});
}

/** The same for the values that replace an evaluator's own in one case: each may be left out, which leaves its own. */
export function criteriaSchema(schema: JsonSchema, own: JsonObject, tools: readonly string[] = []): JsonSchema {
  const shown = formSchema(schema, tools);
  const properties = Object.entries(shown.properties ?? {}).map(([name, property]) => [name, name in own ? { ...property, default: own[name] } : property]);
  return { ...shown, properties: Object.fromEntries(properties) as Record<string, JsonSchema>, required: [] };
}

function inForm(schema: JsonSchema, named: Pick<JsonSchema, 'examples'>): JsonSchema {
  const { properties, $defs, items, anyOf, propertyNames } = schema;
  const each = (parts: Record<string, JsonSchema>) => Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, fieldOf(name, part, named)]));
  return {
    ...schema,
    ...(properties && { properties: each(properties) }),
    ...($defs && { $defs: Object.fromEntries(Object.entries($defs).map(([name, part]) => [name, inForm(part, named)])) }),
    ...(items && { items: inForm(items, named) }),
    ...(anyOf && { anyOf: anyOf.map((part) => inForm(part, named)) }),
    ...(propertyNames && { propertyNames: { ...propertyNames, ...named } }),
  };
}

function fieldOf(name: string, part: JsonSchema, named: Pick<JsonSchema, 'examples'>): JsonSchema {
  if (name === 'args' && part.type === 'object' && !part.properties) return { ...part, additionalProperties: ARGUMENT };
  if (name === 'tool') return { ...part, ...named };
  if (name === 'tools') return { ...part, anyOf: part.anyOf?.map((variant) => (variant.items ? { ...variant, items: { ...variant.items, ...named } } : variant)) };
  return inForm(part, named);
}
