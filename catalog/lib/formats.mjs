// Text formats that the schemas name. The C++ reader of overlays (engine/json/src/formats.cpp) knows the same names.
export const FORMATS = {
  id: /^[a-z0-9]+([.-][a-z0-9]+)*$/,
  'snake-case': /^[a-z][a-z0-9_]*$/,
  'date-or-year': /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/,
  'hub-repository': /^[\w.-]+\/[\w.-]+$/,
  revision: /^[0-9a-f]{40}$/,
  version: /^\d+(\.\d+)*$/,
  'version-range': /^(>=\d+(\.\d+)*(,<\d+(\.\d+)*)?|<\d+(\.\d+)*)$/,
  'mig-profile': /^[1-7]g\.\d+gb$/,
  'json-pointer': /^(\/[^/]+)+$/,
};
