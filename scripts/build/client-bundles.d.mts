/** Makes the client's CommonJS files beside the compiled modules in `dist`: its preload, and the thread of its bridge. */
export declare const bundleClient: (dist: string) => Promise<unknown>;
