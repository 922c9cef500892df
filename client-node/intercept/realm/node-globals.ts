/** What the guard's own realm has in the place of Node's globals. */
export { Buffer } from "./own-buffer.ts";
export { clearTimeout, performance, setTimeout } from "./own-time.ts";
export { URL } from "./own-url.ts";
