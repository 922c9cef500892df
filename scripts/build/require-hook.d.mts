/** Makes the one CommonJS file of the client's preload, beside the compiled modules in `dist`. */
export declare const bundleRequireHook: (dist: string) => Promise<unknown>;
