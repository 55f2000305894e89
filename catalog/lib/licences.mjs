// Licences: what a model's reference to one brings. What holds with those of its base: engine/json/src/compiled_in.cpp.

/** {id: {name, class, mind, link, terms}} */
export const licenceTable = (licences) =>
  Object.fromEntries(
    licences.map(({ id, name, class: strictness, mind, link, basis, sources, note }) => [
      id,
      { name, class: strictness, mind, link, terms: { basis, sources, note } },
    ]),
  );
