// What the request schema says about one field; web/build/schema.mjs collects it from engine/json/schema.

export type Kind = 'integer' | 'number' | 'string' | 'boolean' | 'array' | 'object';

export interface Facts {
  readonly kinds: readonly Kind[];
  /** Values this version sizes, each with what it means. */
  readonly choices?: readonly (readonly [value: string, meaning: string])[];
  /** The same for the items of a list. */
  readonly items?: readonly (readonly [value: string, meaning: string])[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
}

/** Does the schema allow this value? Used for links only; the engine judges requests. */
export function allows(facts: Facts, value: unknown): boolean {
  if (Array.isArray(value)) {
    const { kinds, items } = facts;
    return kinds.includes('array') && value.every((item) => typeof item === 'string' && (items?.some(([i]) => i === item) ?? true));
  }
  if (typeof value === 'boolean') return facts.kinds.includes('boolean');
  if (typeof value === 'string') {
    return facts.kinds.includes('string') && (facts.choices?.some(([choice]) => choice === value) ?? true);
  }
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  if (!facts.kinds.includes('number') && !(facts.kinds.includes('integer') && Number.isInteger(value))) return false;
  return (
    value >= (facts.minimum ?? -Infinity) &&
    value <= (facts.maximum ?? Infinity) &&
    value > (facts.exclusiveMinimum ?? -Infinity) &&
    value < (facts.exclusiveMaximum ?? Infinity)
  );
}
