// Text formats that the schemas name. The C++ reader of overlays (engine/json/src/formats.cpp) knows the same names.
export const FORMATS = {
  id: /^[a-z0-9]+([.-][a-z0-9]+)*$/,
  'snake-case': /^[a-z][a-z0-9_]*$/,
  // Days that a month has; 29 February in leap years only.
  'date-or-year':
    /^(\d{4}(-(0[1-9]|1[0-2]))?|\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8]))|(\d\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)$/,
  'hub-repository': /^[\w.-]+\/[\w.-]+$/,
  revision: /^[0-9a-f]{40}$/,
  version: /^\d+(\.\d+)*$/,
  'version-range': /^(>=\d+(\.\d+)*(,<\d+(\.\d+)*)?|<\d+(\.\d+)*)$/,
  'mig-profile': /^[1-7]g\.\d+gb$/,
  'json-pointer': /^(\/[^/]+)+$/,
};
