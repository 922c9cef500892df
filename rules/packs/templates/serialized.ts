const serialized =
  /(?:^|[\s"'=,;])(?:rO0AB[A-Za-z0-9+/]{1}|H4sIAAAAAAAAA[A-Za-z0-9+/]{0,4}rO0|AAEAAAD\/{5}|gASV[A-Za-z0-9+/]{2}|gAN[jJcC]|Y29zCnN5c3RlbQ|Y3Bvc2l4CnN5c3RlbQ|aced0005|ac ed 00 05)|\bO:[0-9]{1,4}:"[A-Za-z_\\]{1,128}":[0-9]{1,4}:\{|c(?:os|posix|subprocess|__builtin__|builtins)\n(?:system|popen|eval|exec|Popen)\n|!!python\/(?:object|name|module)|!!javax?\.|_\$\$ND_FUNC\$\$_|"\$type"\s{0,4}:\s{0,4}"System\./;

/** Whether a text is an object of Java, PHP, .NET, Python or Node as its serializer writes it: what reads it runs code. */
export const isSerialized = (text: string): boolean => serialized.test(text);
