/**
 * Where the passphrase of a sealed key comes from: asked for once, when it turns out that the key is sealed. `question` is
 * one line without its end, such as `passphrase of rules.key: `.
 */
export type PassphraseSource = (question: string) => Promise<string>;
