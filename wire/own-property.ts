/**
 * Sets an own property, `__proto__` included: by plain assignment that key would set the prototype and vanish, and an
 * argument that the tool receives would be one that no rule sees.
 */
export const setOwn = <T>(object: Record<string, T>, key: string, value: T): void => {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
};
