// What a preload runs in a realm of the guard's own (realm/realm.ts).
import "./realm/own-intrinsics.ts";

export { preload } from "./preload.ts";
