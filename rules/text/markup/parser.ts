/** Its own file, so that a bundle holds the parser without the tree builder beside it. */
export { Parser } from "htmlparser2";
