// Bare Node: the floor of memory. Usage: node idle.mjs SOCKET (the path is only said, not served)
process.stderr.write(`idle: listening on ${process.argv[2]}\n`);
setInterval(() => {}, 60_000);
