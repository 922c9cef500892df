import { timeText } from "../../../wire/utc-time.ts";
import { type CommandResult, done, orRefusal } from "../../commands/command-result.ts";
import { ExitCode } from "../../exit-codes.ts";
import { changeKeyring, type KeyringPlaces } from "../change-keyring.ts";
import { KeyRefused } from "../key-error.ts";
import { readTrustedKeys } from "../read-trusted-keys.ts";
import { type KeygenCommand, keygen } from "./keygen.ts";
import { judgeTerms, type KeyToList, withKey } from "./list-key.ts";
import { afterReload } from "./takes-effect.ts";

export type ListingTerms = Omit<KeyToList, "key">;

/** `interlock keys trust PUB --role R`: a key that somebody else holds is believed in these roles. */
export const trust = (places: KeyringPlaces, publicPath: string, terms: ListingTerms): Promise<CommandResult> =>
  orRefusal(async () => {
    const [key, ...more] = await readTrustedKeys(publicPath);
    if (key === undefined || more.length > 0) {
      throw new KeyRefused("key_malformed", `${publicPath} holds ${more.length + 1} public keys; give one at a time`);
    }
    await changeKeyring(places, (file) => [withKey(file, { key, ...terms }), null]);
    return done([`key ${key.keyId} is trusted with ${said(terms)}`, `wrote ${places.keyring.path}`, afterReload], {
      key_id: key.keyId,
      roles: terms.roles,
      keyring: places.keyring.path,
    });
  }, ExitCode.refused);

/** `interlock keys new PATH --role R`: a new key pair that is believed in these roles. */
export const newKey = (places: KeyringPlaces, request: KeygenCommand, terms: ListingTerms): Promise<CommandResult> =>
  orRefusal(async () => {
    // A key that nobody believes would be left behind.
    judgeTerms(terms);
    const made = await keygen(request);
    if (made.exitCode !== ExitCode.done) return made;
    const [key] = await readTrustedKeys(`${request.path}.pub`);
    await changeKeyring(places, (file) => [withKey(file, { key: key!, ...terms }), null]);
    return done([...made.lines, `trusted with ${said(terms)} by ${places.keyring.path}`, afterReload], {
      ...made.json,
      roles: terms.roles,
      keyring: places.keyring.path,
    });
  }, ExitCode.refused);

const said = ({ roles, not_after_ms }: ListingTerms): string =>
  `${roles.join(", ")}${not_after_ms === null ? "" : ` until ${timeText(not_after_ms)}`}`;
