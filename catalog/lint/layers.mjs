// The order of a model's layers agrees with the counts beside it.
import { withDimensions } from '../lib/catalogue.mjs';

export const name = 'layers';

export function check(catalogue) {
  const byId = new Map(catalogue.models.map(({ entry }) => [entry.id, entry]));
  const findings = [];
  for (const { entry, file } of catalogue.models) {
    if (entry.dims_of) continue;
    const say = (message) => findings.push({ file, id: entry.id, message });
    const e = withDimensions(entry, byId, catalogue.schemas.model);
    const order = e.layer_types ?? ['full'];
    const of = (type) =>
      Array.from({ length: e.num_layers }, (_, i) => order[i % order.length]).filter((t) => t.replace('_nope', '') === type).length;
    if (order.length > e.num_layers) say(`${order.length} layer types for ${e.num_layers} layers`);
    if (e.layer_types && (e.sliding_window !== undefined) !== order.includes('sliding'))
      say('sliding_window is given exactly where a layer slides');
    if (!e.layer_types && !e.layer_pattern && !e.attention_groups && e.sliding_window) say('sliding_window without layer_types');
    for (const groups of [e.attention_groups, e.mlp_groups].filter(Boolean)) {
      const layers = groups.reduce((s, g) => s + g.layers, 0);
      const parallel = groups === e.mlp_groups && layers === 2 * e.num_layers;
      if (layers !== e.num_layers && !parallel) say(`groups count ${layers} layers, the model has ${e.num_layers}`);
    }
    for (const type of ['full', 'sliding', 'gated_deltanet']) {
      if (!e.attention_groups || !e.layer_types) continue;
      const counted = e.attention_groups.filter((g) => g.type === type).reduce((s, g) => s + g.layers, 0);
      if (counted !== of(type)) say(`layer_types make ${of(type)} ${type} layers, attention_groups say ${counted}`);
    }
    if (e.num_kv_heads > 0 && e.num_attention_heads % e.num_kv_heads !== 0)
      say(`${e.num_attention_heads} heads cannot share ${e.num_kv_heads} key and value heads`);
  }
  return findings;
}
